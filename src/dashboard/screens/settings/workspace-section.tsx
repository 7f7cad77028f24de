import { CodeBlock } from "../../components/code-block.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
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
      <Setting title="Workspace" text="Name and plan are kept by the operator of this service.">
        <dl class="facts rows">
          <Fact name="Name">{value?.name ?? <Skeleton width="w-3" />}</Fact>
          <Fact name="Description">{value ? value.description || "–" : <Skeleton width="w-5" />}</Fact>
          <Fact name="Plan">
            <span class="row wrap">
              <span class="capital">{plan}</span>
              <a href="/settings/usage">What it includes</a>
            </span>
          </Fact>
          <Fact name="Since">
            {value ? <Moment iso={value.created_at} isExact /> : <Skeleton width="w-5" />}
          </Fact>
        </dl>
      </Setting>
      <Setting title="For programs" text="What API keys, the header X-SVC-Workspace and commands name it by.">
        <dl class="facts rows">
          <Fact name="Slug">
            <Copied text={slug} what="slug" />
          </Fact>
          <Fact name="Id">
            <Copied text={shown.id} what="id of the workspace" />
          </Fact>
          <Fact name="API">
            <span class="row wrap">
              <a href="/settings/keys">API keys</a>
              <a href="/settings/audit">Audit log</a>
            </span>
          </Fact>
        </dl>
      </Setting>
      <Setting title="Your role" text="Owners give roles, by their identity provider or by the operator.">
        <p>
          <b class="capital">{role}</b>. <span class="muted">{ROLE_TEXTS[role]}</span>
        </p>
      </Setting>
      {role === "owner" && (
        <Setting
          title="Change or delete"
          text="Deliberately not here: nobody who finds an open browser should be able to do it."
        >
          <p class="small muted">The operator of this service changes the plan, or deletes the workspace:</p>
          <CodeBlock
            what="commands for the workspace"
            text={`npm run admin -- workspace set-plan ${slug} enterprise\nnpm run admin -- workspace delete ${slug} --yes`}
          />
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
