import { useState } from "preact/hooks";
import { Badge } from "../../components/badge.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import factsCss from "../../components/facts.module.css";
import { TextField } from "../../components/field.tsx";
import initialCss from "../../components/initial.module.css";
import { ListFoot } from "../../components/list-foot.tsx";
import rowNameCss from "../../components/row-name.module.css";
import { FaultNotice } from "../../components/states.tsx";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { type PagedList, toFullPage } from "../../data/paged-list.ts";
import { usePagedList } from "../../data/resources.ts";
import { person } from "../../session/session.ts";
import { ROLE_TEXTS } from "./role-texts.ts";
import { SectionHead, Setting } from "./setting.tsx";

type Member = Schemas["Member"];
const KEY = "members";
const PAGE_SIZE = 100;
/** Number of members from which the search field is shown. */
const SEARCH_MIN = 8;

/** Members section: who has access to the workspace, with which role, and how to change that. */
export function PeopleSection() {
  const list = usePagedList<PagedList<Member>>(KEY, readMembers);
  const { value, fault, reload } = list;
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = value?.items.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
  return (
    <div class="stack wide">
      <section class="stack">
        <SectionHead title="Members" text="Everyone who can sign in to this workspace, with their role." />
        {fault !== null && <FaultNotice fault={fault} onRetry={reload} />}
        {value && value.items.length >= SEARCH_MIN && (
          <TextField label="Search members" placeholder="Name or email" value={search} onInput={setSearch} />
        )}
        {(value !== undefined || fault === null) && (
          <div class={dataTableCss.frame}>
            <DataTable
              label="Members"
              columns={COLUMNS}
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
      <Setting title="Add or remove members" text="Members are managed outside this dashboard.">
        <div class="stack">
          <p class="small">
            With an identity provider such as Okta or Entra ID, members and their roles are synced from its
            groups. Anyone removed there loses access with their next request.
          </p>
          <p class="small">
            Without one, ask your administrator to add or remove members, change roles and create sign-in
            links. They need the person's name, email address and role.
          </p>
        </div>
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

/** Reads a page of the members, in the order of joining. */
async function readMembers(after: string | null): Promise<PagedList<Member>> {
  const query = { limit: PAGE_SIZE, ...(after !== null && { after }) };
  const { data } = await callApi(api.GET("/v1/workspace/members", { params: { query } }));
  return toFullPage(data, PAGE_SIZE);
}
