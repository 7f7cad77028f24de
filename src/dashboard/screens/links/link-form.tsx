import { useState } from "preact/hooks";
import { query, setQuery } from "../../address/address.ts";
import { readChoice } from "../../address/query-state.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { LazyPart } from "../../components/lazy-part.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { judgeLink } from "../../data/link-state.ts";
import { FormBody, FormFoot } from "../../forms/form-dialog.tsx";
import { canEdit } from "../../session/session.ts";
import { toDraft } from "./link-draft.ts";
import { LinkFields } from "./link-fields.tsx";
import { LinkHead } from "./link-head.tsx";
import type { Link, LinkPage } from "./link-store.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import { type ShortHost, useShortHosts } from "./short-host.ts";
import { type LinkForm as Form, useLinkDraft } from "./use-link-draft.ts";

const loadTester = () => import("./tester/rule-tester.tsx");
const loadHistory = () => import("./history/link-history.tsx");

const TAB_NAMES = ["settings", "test", "history"] as const;
const TABS = [
  { name: "settings", label: "Settings" },
  { name: "test", label: "Test" },
  { name: "history", label: "History" },
] as const;

interface LinkFormProps {
  /** Id of the link, or `new`. */
  id: string;
  /** Null for a new link. */
  link: Link | null;
  page: LinkPage | undefined;
  /** Destination to fill in for a new link, or null. */
  destination: string | null;
  onSaved: (link: Link) => void;
}

/** Panel of a link with its settings. Existing links also have a tester and their history. */
export function LinkForm({ id, link, page, destination, onSaved }: LinkFormProps) {
  const form = useLinkDraft({ id, link, destination, onSaved });
  const hosts = useShortHosts(page);
  const [isRenaming, setRenaming] = useState(false);
  const accept = (stored: Link) => {
    onSaved(stored);
    form.accept(toDraft(stored));
  };
  const shown = link === null ? "settings" : readChoice(query.value, "tab", TAB_NAMES);
  const state = link && judgeLink(link, Date.now());
  const settings = <Settings form={form} link={link} hosts={hosts} onRename={() => setRenaming(true)} />;
  return (
    <>
      <Dialog
        kind="panel"
        title={link === null ? "New link" : (link.title ?? `/${link.short_code}`)}
        head={state && <Badge tone={state.tone}>{state.word}</Badge>}
        onClose={form.leave}
        foot={
          canEdit.value &&
          (shown === "settings" || form.isChanged ? (
            <FormFoot form={form} submit={link === null ? "Create link" : "Save"} />
          ) : (
            <Button onClick={form.leave}>Close</Button>
          ))
        }
      >
        {link === null ? (
          settings
        ) : (
          <div class="stack">
            <Tabs
              label="Link"
              tabs={TABS}
              shown={shown}
              onShow={(tab) => setQuery({ tab: tab === "settings" ? null : tab })}
            >
              {shown === "settings" && settings}
              {shown === "test" && (
                <LazyPart
                  load={loadTester}
                  properties={{ link, isChanged: form.isChanged, onSave: form.save }}
                />
              )}
              {shown === "history" && (
                <LazyPart load={loadHistory} properties={{ link, onReverted: accept }} />
              )}
            </Tabs>
          </div>
        )}
      </Dialog>
      {/* Outside the panel, whose form would be submitted too. */}
      {link !== null && isRenaming && (
        <RenameDialog link={link} onRenamed={accept} onClose={() => setRenaming(false)} />
      )}
    </>
  );
}

interface SettingsProps {
  form: Form;
  link: Link | null;
  hosts: readonly ShortHost[];
  onRename: () => void;
}

function Settings({ form, link, hosts, onRename }: SettingsProps) {
  const code = link?.short_code ?? (form.draft.slug.trim() || null);
  return (
    <FormBody form={form}>
      <LinkHead link={link} code={code} hosts={hosts} onRename={onRename} />
      <fieldset disabled={!canEdit.value}>
        <LinkFields
          form={form}
          isNew={link === null}
          hasPassword={link?.has_password ?? false}
          shortStart={hosts[0]?.text ?? "/"}
        />
      </fieldset>
    </FormBody>
  );
}
