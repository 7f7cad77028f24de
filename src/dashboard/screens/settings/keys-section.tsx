import { useState } from "preact/hooks";
import { query, setQuery } from "../../address/address.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { formatCount } from "../../components/format-count.ts";
import { formatDay } from "../../components/format-moment.ts";
import { Menu } from "../../components/menu.tsx";
import { Moment } from "../../components/moment.tsx";
import rowNameCss from "../../components/row-name.module.css";
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
    <EmptyState title="Only owners can manage API keys">
      API keys act on behalf of the whole workspace, so only owners can view and create them. You're{" "}
      {workspace.value?.role === "editor" ? "an editor" : "a viewer"}; see “Members” for the owners of this
      workspace.
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
  useShortcuts([{ keys: "c", label: "Create API key", run: create }]);
  const nowMs = Date.now();
  const working = value?.items.filter((key) => judgeKey(key, nowMs).isWorking);
  const pastCount = (value?.items.length ?? 0) - (working?.length ?? 0);
  const shown = hasPast ? value?.items : working;
  return (
    <section class="stack">
      <SectionHead
        title="API keys"
        text="API keys let apps act on behalf of this workspace. Create one key per app, with only the scopes it needs."
        action={
          <Button kind="primary" icon="plus" onClick={create} aria-keyshortcuts="c">
            Create key
          </Button>
        }
      />
      {fault !== null && <FaultNotice fault={fault} onRetry={reload} />}
      {value?.items.length === 0 ? (
        <EmptyState title="No API keys yet">
          Use an API key to manage links from scripts, servers or the command line.
        </EmptyState>
      ) : (
        (value !== undefined || fault === null) && (
          <div class={dataTableCss.frame}>
            <DataTable
              label="API keys"
              columns={buildColumns(setCommand, nowMs)}
              rows={shown}
              getKey={({ id }) => id}
              getName={({ name }) => name}
              isDimmed={(key) => !judgeKey(key, nowMs).isWorking}
            />
            <div class={dataTableCss.foot}>
              {working && <span class="numeric">{formatCount(working.length, "active key")}</span>}
              {pastCount > 0 && (
                <Button size="s" onClick={() => setQuery({ past: hasPast ? null : "yes" })}>
                  {hasPast ? "Hide inactive keys" : `Show ${pastCount} inactive`}
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
    { name: "key", header: "Key", layout: "grow fill", cell: (key) => <Name apiKey={key} /> },
    {
      name: "state",
      header: "Status",
      layout: "fit",
      cell: (key) => {
        const { word, tone } = judgeKey(key, nowMs);
        return <Badge tone={tone}>{word}</Badge>;
      },
    },
    {
      name: "used",
      header: "Last used",
      layout: "fit end more numeric",
      cell: ({ last_used_on }) => (last_used_on === null ? "never" : formatDay(last_used_on, nowMs)),
    },
    {
      name: "expires",
      header: "Expires",
      layout: "fit end more numeric",
      cell: ({ revoked_at, expires_at }) => {
        const end = revoked_at ?? expires_at;
        return end === null ? "never" : <Moment iso={end} />;
      },
    },
    {
      name: "menu",
      header: "Actions",
      isHeaderHidden: true,
      layout: "fit end",
      cell: (key) => judgeKey(key, nowMs).isWorking && <KeyMenu apiKey={key} onCommand={onCommand} />,
    },
  ];
}

function Name({ apiKey: { name, prefix, scopes, created_by } }: { apiKey: Key }) {
  const described = describeScopes(scopes);
  return (
    <span class={rowNameCss.linkName}>
      <b class="one-line">{name}</b>
      <span class="one-line small muted">
        <code>svc_pk_{prefix}…</code> · <span title={described}>{described}</span>
        {created_by && ` · Created by ${created_by.name}${created_by.has_left ? ", who has left" : ""}`}
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
    <Menu label={`Actions for ${apiKey.name}`} groups={groups}>
      {(trigger) => (
        <Button kind="plain" size="s" icon="more" aria-label={`Actions for ${apiKey.name}`} {...trigger} />
      )}
    </Menu>
  );
}
