import { CopyButton } from "../../components/copy-button.tsx";
import factsCss from "../../components/facts.module.css";
import { Moment } from "../../components/moment.tsx";
import { FaultNotice, Skeleton } from "../../components/states.tsx";
import { api, callApi } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { workspace } from "../../session/session.ts";
import { ROLE_TEXTS } from "./role-texts.ts";
import { Setting } from "./setting.tsx";

/** Workspace section: name, plan, slug, ID and the user's role. */
export function WorkspaceSection() {
  const { value, fault, reload } = useResource("workspace", async () => {
    return (await callApi(api.GET("/v1/workspace"))).data;
  });
  const shown = workspace.value;
  if (shown === null) return null;
  const { slug, role, plan } = shown;
  if (fault !== null) return <FaultNotice fault={fault} onRetry={reload} />;
  return (
    <div class="stack wide" aria-busy={value === undefined ? "true" : undefined}>
      <Setting title="Workspace" text="Your administrator manages the name and plan.">
        <dl class={`${factsCss.facts} ${factsCss.rows}`}>
          <Fact name="Name">{value?.name ?? <Skeleton width="w-3" />}</Fact>
          <Fact name="Description">{value ? value.description || "–" : <Skeleton width="w-5" />}</Fact>
          <Fact name="Plan">
            <span class="row wrap">
              <span class="capital">{plan}</span>
              <a href="/settings/usage">View plan</a>
            </span>
          </Fact>
          <Fact name="Created">
            {value ? <Moment iso={value.created_at} isExact /> : <Skeleton width="w-5" />}
          </Fact>
        </dl>
      </Setting>
      <Setting title="Identifiers" text="Use these in API requests (header X-SVC-Workspace) and in commands.">
        <dl class={`${factsCss.facts} ${factsCss.rows}`}>
          <Fact name="Slug">
            <Copied text={slug} what="slug" />
          </Fact>
          <Fact name="ID">
            <Copied text={shown.id} what="workspace ID" />
          </Fact>
          <Fact name="API">
            <span class="row wrap">
              <a href="/settings/keys">API keys</a>
              <a href="/settings/audit">Audit log</a>
            </span>
          </Fact>
        </dl>
      </Setting>
      <Setting
        title="Your role"
        text="Roles are assigned in your identity provider or by your administrator."
      >
        <p>
          <b class="capital">{role}</b>. <span class="muted">{ROLE_TEXTS[role]}</span>
        </p>
      </Setting>
      {role === "owner" && (
        <Setting
          title="Change plan or delete workspace"
          text="For security, these actions aren't available in the dashboard."
        >
          <p class="small">Ask your administrator to change the plan or delete the workspace.</p>
        </Setting>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <span class="row">
      <code class="one-line">{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
