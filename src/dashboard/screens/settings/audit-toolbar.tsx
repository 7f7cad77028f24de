import { setQuery } from "../../address/address.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { DayField } from "../../components/day-field.tsx";
import { Select } from "../../components/field.tsx";
import toolbarCss from "../../components/toolbar.module.css";
import { api, callApi } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { type AuditFilters, isAuditFiltered, NO_FILTERS, SHOWN_TYPES } from "./audit-filters.ts";
import { type Entry, TYPE_NAMES } from "./audit-labels.ts";

interface AuditToolbarProps {
  filters: AuditFilters;
  /** Entries that are shown. Their actors are offered as filters. */
  entries: readonly Entry[];
}

/** Filters of the audit log. They are kept in the page's URL. */
export function AuditToolbar({ filters, entries }: AuditToolbarProps) {
  const { type, resource, actor, from, to } = filters;
  const actors = useActors(entries, actor);
  return (
    <search class={toolbarCss.toolbar}>
      <Select
        label="Type"
        value={type}
        choices={SHOWN_TYPES.map((value) => ({
          value,
          label: value === "all" ? "Any type" : capitalize(TYPE_NAMES[value]),
        }))}
        onChange={(value) => setQuery({ type: value === "all" ? null : value })}
      />
      <Select
        label="Actor"
        value={actor}
        choices={[{ value: "", label: "Anyone" }, ...actors]}
        onChange={(value) => setQuery({ actor: value })}
      />
      <DayField label="From" value={from} onChange={(day) => setQuery({ from: day })} />
      <DayField label="To" value={to} onChange={(day) => setQuery({ to: day })} />
      {resource !== "" && (
        <span class="row">
          <Badge tone="accent">Resource {resource.slice(0, 8)}…</Badge>
        </span>
      )}
      {isAuditFiltered(filters) && (
        <Button kind="plain" icon="close" onClick={() => setQuery(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** Lists the actors to filter by: members, the administrator, and the actors of the shown entries. */
function useActors(entries: readonly Entry[], chosen: string): { value: string; label: string }[] {
  const { value: members = [] } = useResource("actors", async () => {
    return (await callApi(api.GET("/v1/workspace/members", { params: { query: { limit: 200 } } }))).data;
  });
  const names = new Map<string, string>();
  for (const { id, name, email } of members) names.set(id, name || email);
  names.set("admin", "Administrator");
  for (const { actor } of entries) {
    if (!names.has(actor.id))
      names.set(actor.id, actor.type === "key" ? `API key ${actor.name}` : actor.name);
  }
  if (chosen !== "" && !names.has(chosen)) names.set(chosen, `${chosen.slice(0, 8)}…`);
  return [...names].map(([value, label]) => ({ value, label }));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
