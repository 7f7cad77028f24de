import { useState } from "preact/hooks";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import factsCss from "../../components/facts.module.css";
import { TextField } from "../../components/field.tsx";
import initialCss from "../../components/initial.module.css";
import { ListFoot } from "../../components/list-foot.tsx";
import { Menu } from "../../components/menu.tsx";
import { Moment } from "../../components/moment.tsx";
import rowNameCss from "../../components/row-name.module.css";
import { FaultNotice } from "../../components/states.tsx";
import { showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import type { PagedList } from "../../data/paged-list.ts";
import { usePagedList, useResource } from "../../data/resources.ts";
import { person, workspace } from "../../session/session.ts";
import { InviteDialog, RecoverDialog, RemoveDialog } from "./people-dialogs.tsx";
import {
  INVITATIONS_KEY,
  type Invitation,
  MEMBERS_KEY,
  type Member,
  type Role,
  readInvitations,
  readMembers,
  revokeInvitation,
  setRole,
} from "./people-store.ts";
import { ROLE_TEXTS } from "./role-texts.ts";
import { SectionHead, Setting } from "./setting.tsx";

/** Number of members from which the search field is shown. */
const SEARCH_MIN = 8;

/** Members section: who has access to the workspace, with which role, and how to change that. */
export function PeopleSection() {
  const list = usePagedList<PagedList<Member>>(MEMBERS_KEY, readMembers);
  const isOwner = workspace.value?.role === "owner";
  const [command, setCommand] = useState<Command | null>(null);
  const close = () => setCommand(null);
  const { value, fault, reload } = list;
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = value?.items.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
  return (
    <div class="stack wide">
      <section class="stack">
        <SectionHead
          title="Members"
          text="Everyone who can sign in to this workspace, with their role."
          action={
            isOwner && (
              <Button kind="primary" icon="plus" onClick={() => setCommand({ kind: "invite" })}>
                Invite
              </Button>
            )
          }
        />
        {fault !== null && <FaultNotice fault={fault} onRetry={reload} />}
        {value && value.items.length >= SEARCH_MIN && (
          <TextField label="Search members" placeholder="Name or email" value={search} onInput={setSearch} />
        )}
        {(value !== undefined || fault === null) && (
          <div class={dataTableCss.frame}>
            <DataTable
              label="Members"
              columns={isOwner ? [...COLUMNS, buildMenuColumn(setCommand, reload)] : COLUMNS}
              rows={shown}
              getKey={({ id }) => id}
              getName={({ email }) => email}
            />
            <div class={dataTableCss.foot}>
              <ListFoot list={list} shown={shown?.length} noun="member" />
            </div>
          </div>
        )}
      </section>
      {isOwner && <Invitations />}
      {command?.kind === "invite" && <InviteDialog onClose={close} />}
      {command?.kind === "recover" && <RecoverDialog member={command.member} onClose={close} />}
      {command?.kind === "remove" && (
        <RemoveDialog member={command.member} onRemoved={reload} onClose={close} />
      )}
      {(value !== undefined || fault !== null) && <AboutPeople />}
    </div>
  );
}

/** Explains roles and how to add members. Rendered once the list is loaded, so that it isn't pushed down. */
function AboutPeople() {
  return (
    <>
      <Setting title="Roles">
        <dl class={`${factsCss.facts} ${factsCss.rows}`}>
          {(["owner", "editor", "viewer"] as const).map((role) => (
            <div key={role}>
              <dt class="capital">{role}</dt>
              <dd>{ROLE_TEXTS[role]}</dd>
            </div>
          ))}
        </dl>
      </Setting>
      <Setting title="Add or remove members">
        <p class="small">
          Owners invite people, change roles and remove members here. If the workspace is connected to an
          identity provider such as Okta or Entra ID over SCIM, members and their roles come from its groups
          instead.
        </p>
      </Setting>
    </>
  );
}

const COLUMNS: Column<Member>[] = [
  { name: "name", header: "Member", layout: "grow fill", cell: (member) => <Name member={member} /> },
  {
    name: "role",
    header: "Role",
    layout: "fit",
    cell: ({ role }) => <Badge tone={role === "owner" ? "accent" : "plain"}>{role}</Badge>,
  },
];

type Command = { kind: "invite" } | { kind: "recover" | "remove"; member: Member };

const ROLES: readonly Role[] = ["owner", "editor", "viewer"];

function buildMenuColumn(onCommand: (command: Command) => void, reload: () => void): Column<Member> {
  const change = async ({ id, name, email }: Member, role: Role) => {
    try {
      await setRole(id, role);
      showToast(`${name || email} is now ${role === "viewer" ? "a" : "an"} ${role}`);
    } catch (thrown) {
      showToast(asFault(thrown).message);
    }
    reload();
  };
  return {
    name: "menu",
    header: "Actions",
    isHeaderHidden: true,
    layout: "fit end",
    cell: (member) => {
      const label = `Actions for ${member.name || member.email}`;
      const roles = ROLES.map((role) => ({
        label: `Make ${role}`,
        isChosen: role === member.role,
        onSelect: () => void change(member, role),
      }));
      const recover = {
        label: "Create recovery link",
        onSelect: () => onCommand({ kind: "recover", member }),
      };
      const remove = {
        label: "Remove",
        icon: "trash",
        isDanger: true,
        onSelect: () => onCommand({ kind: "remove", member }),
      } as const;
      return (
        <Menu label={label} groups={[roles, [recover], [remove]]}>
          {(trigger) => <Button kind="plain" size="s" icon="more" aria-label={label} {...trigger} />}
        </Menu>
      );
    },
  };
}

/** Open invitations, which an owner can revoke. Shows nothing while there are none. */
function Invitations() {
  const { value } = useResource<Invitation[]>(INVITATIONS_KEY, readInvitations);
  if (value === undefined || value.length === 0) return null;
  const revoke = async ({ id, email }: Invitation) => {
    try {
      await revokeInvitation(id);
      showToast(`Invitation of ${email} revoked`);
    } catch (thrown) {
      showToast(asFault(thrown).message);
    }
  };
  const columns: Column<Invitation>[] = [
    { name: "email", header: "Invited", layout: "grow fill", cell: ({ email }) => <b>{email}</b> },
    { name: "role", header: "Role", layout: "fit", cell: ({ role }) => <Badge tone="plain">{role}</Badge> },
    {
      name: "expires",
      header: "Expires",
      layout: "fit more numeric",
      cell: ({ expires_at }) => <Moment iso={expires_at} />,
    },
    {
      name: "revoke",
      header: "Actions",
      isHeaderHidden: true,
      layout: "fit end",
      cell: (invitation) => (
        <Button
          size="s"
          aria-label={`Revoke the invitation of ${invitation.email}`}
          onClick={() => void revoke(invitation)}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <section class="stack">
      <SectionHead title="Invitations" text="Open invitations. Each works once." />
      <div class={dataTableCss.frame}>
        <DataTable
          label="Invitations"
          columns={columns}
          rows={value}
          getKey={({ id }) => id}
          getName={({ email }) => email}
        />
      </div>
    </section>
  );
}

function Name({ member: { name, email } }: { member: Member }) {
  return (
    <span class="row">
      <span class={`${initialCss.initial} ${initialCss.round}`} aria-hidden="true">
        {[...(name || email)][0]}
      </span>
      <span class={rowNameCss.linkName}>
        <b class="one-line">
          {name || email}
          {email === person.value?.email && <span class="muted"> (you)</span>}
        </b>
        <span class="one-line small muted">{email}</span>
      </span>
    </span>
  );
}
