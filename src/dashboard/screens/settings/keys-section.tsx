import { useState } from "preact/hooks";
import { query, setQuery } from "../../address/address.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { formatDay } from "../../components/format-moment.ts";
import { Menu } from "../../components/menu.tsx";
import { Moment } from "../../components/moment.tsx";
import { EmptyState, FaultNotice } from "../../components/states.tsx";
import type { PagedList } from "../../data/paged-list.ts";
import { useResource } from "../../data/resources.ts";
import { useShortcuts } from "../../keyboard/shortcuts.ts";
import { workspace } from "../../session/session.ts";
import { RevokeKeyDialog, RotateKeyDialog } from "./key-dialogs.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { describeScopes } from "./key-scopes.ts";
import { judgeKey } from "./key-state.ts";
import { KEYS_KEY, type Key, readKeys } from "./key-store.ts";
import { SectionHead } from "./setting.tsx";

/** API keys section: lists, creates, rotates and revokes keys. Only owners can see it. */
export function KeysSection() {
  const isOwner = workspace.value?.role === "owner";
  return isOwner ? <Keys /> : <NotForYou />;
}

function NotForYou() {
  return (
    <EmptyState title="API keys are for owners">
      A key acts for the workspace without a person, so only its owners see and make keys. You are{" "}
      {workspace.value?.role === "editor" ? "an editor" : "a viewer"}; “People” says who is an owner.
    </EmptyState>
  );
}

type Command = { kind: "rotate" | "revoke"; key: Key };

function Keys() {
  const { value, fault, reload } = useResource<PagedList<Key>>(KEYS_KEY, readKeys);
  const [command, setCommand] = useState<Command | null>(null);
  const parameters = new URLSearchParams(query.value);
  const isCreating = parameters.get("panel") === "new";
  const hasPast = parameters.get("past") === "yes";
  const create = () => setQuery({ panel: "new" }, { push: true });
  useShortcuts([{ keys: "c", label: "Create an API key", run: create }]);
  const nowMs = Date.now();
  const working = value?.items.filter((key) => judgeKey(key, nowMs).isWorking);
  const pastCount = (value?.items.length ?? 0) - (working?.length ?? 0);
  const shown = hasPast ? value?.items : working;
  return (
    <section class="stack">
      <SectionHead
        title="API keys"
        text="A key lets a program act for this workspace. Give each program its own, with no more than it needs."
        action={
          <Button kind="primary" icon="plus" onClick={create} aria-keyshortcuts="c">
            Create key
          </Button>
        }
      />
      {fault !== null && <FaultNotice fault={fault} onRetry={reload} />}
      {value?.items.length === 0 ? (
        <EmptyState title="No keys yet">
          With a key, scripts, servers and the command line reach everything that this dashboard shows.
        </EmptyState>
      ) : (
        (value !== undefined || fault === null) && (
          <div class="table-frame">
            <DataTable
              label="API keys"
              columns={buildColumns(setCommand, nowMs)}
              rows={shown}
              getKey={({ id }) => id}
              getName={({ name }) => name}
              isQuiet={(key) => !judgeKey(key, nowMs).isWorking}
            />
            <div class="table-foot">
              {working && (
                <span class="numeric">
                  {working.length} {working.length === 1 ? "key works" : "keys work"}
                </span>
              )}
              {pastCount > 0 && (
                <Button size="s" onClick={() => setQuery({ past: hasPast ? null : "yes" })}>
                  {hasPast ? "Hide former keys" : `Show ${pastCount} former`}
                </Button>
              )}
            </div>
          </div>
        )
      )}
      {isCreating && <KeyPanel />}
      {command?.kind === "rotate" && (
        <RotateKeyDialog apiKey={command.key} onClose={() => setCommand(null)} />
      )}
      {command?.kind === "revoke" && (
        <RevokeKeyDialog apiKey={command.key} onClose={() => setCommand(null)} />
      )}
    </section>
  );
}

function buildColumns(onCommand: (command: Command) => void, nowMs: number): Column<Key>[] {
  return [
    { name: "key", header: "Key", classes: "grow", cell: (key) => <Name apiKey={key} /> },
    {
      name: "state",
      header: "State",
      classes: "fit",
      cell: (key) => {
        const { word, tone } = judgeKey(key, nowMs);
        return <Badge tone={tone}>{word}</Badge>;
      },
    },
    {
      name: "used",
      header: "Last used",
      classes: "fit end more numeric",
      cell: ({ last_used_on }) => (last_used_on === null ? "never" : formatDay(last_used_on, nowMs)),
    },
    {
      name: "expires",
      header: "Ends",
      classes: "fit end more numeric",
      cell: ({ revoked_at, expires_at }) => {
        const end = revoked_at ?? expires_at;
        return end === null ? "never" : <Moment iso={end} />;
      },
    },
    {
      name: "menu",
      header: "Commands",
      isHeaderHidden: true,
      classes: "fit end commands-cell",
      cell: (key) => judgeKey(key, nowMs).isWorking && <KeyMenu apiKey={key} onCommand={onCommand} />,
    },
  ];
}

function Name({ apiKey: { name, prefix, scopes } }: { apiKey: Key }) {
  const described = describeScopes(scopes);
  return (
    <span class="link-name">
      <b class="one-line">{name}</b>
      <span class="one-line small muted">
        <code>svc_pk_{prefix}…</code> · <span title={described}>{described}</span>
      </span>
    </span>
  );
}

function KeyMenu({ apiKey, onCommand }: { apiKey: Key; onCommand: (command: Command) => void }) {
  const rotate = {
    label: "Rotate",
    icon: "refresh",
    onSelect: () => onCommand({ kind: "rotate", key: apiKey }),
  } as const;
  const revoke = {
    label: "Revoke",
    icon: "trash",
    isDanger: true,
    onSelect: () => onCommand({ kind: "revoke", key: apiKey }),
  } as const;
  const groups = apiKey.revoked_at === null ? [[rotate], [revoke]] : [[revoke]];
  return (
    <Menu label={`Commands for ${apiKey.name}`} groups={groups}>
      {(trigger) => (
        <Button kind="plain" size="s" icon="more" aria-label={`Commands for ${apiKey.name}`} {...trigger} />
      )}
    </Menu>
  );
}
