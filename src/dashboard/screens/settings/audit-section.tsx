import { formatCount } from "../../../core/format-count.ts";
import { query, setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { ListFoot } from "../../components/list-foot.tsx";
import { EmptyState, FaultNotice, Skeleton } from "../../components/states.tsx";
import { announce, showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { usePagedList } from "../../data/resources.ts";
import { saveCsv } from "../../data/save-file.ts";
import { listAuditLines } from "./audit-csv.ts";
import { AuditEntry } from "./audit-entry.tsx";
import { isAuditFiltered, NO_FILTERS, readAuditFilters, toAuditQuery } from "./audit-filters.ts";
import { AuditGroup } from "./audit-group.tsx";
import { groupEntries } from "./audit-groups.ts";
import { collectNames, type Entry, findName } from "./audit-labels.ts";
import css from "./audit-section.module.css";
import { type EntryList, formatAuditKey, readEntries, revertChange, useNames } from "./audit-store.ts";
import { AuditToolbar } from "./audit-toolbar.tsx";
import { SectionHead } from "./setting.tsx";

/** Audit log section: who changed what, with filters, CSV export, and a way to revert changes of links. */
export function AuditSection() {
  const filters = readAuditFilters(query.value);
  const auditQuery = toAuditQuery(filters);
  const key = formatAuditKey(auditQuery);
  const list = usePagedList<EntryList>(key, (before) => readEntries(auditQuery, before));
  const known = list.value;
  const revert = async ({ id, resource }: Entry) => {
    try {
      const lost = await revertChange(resource.id, id);
      showToast(lost ?? "Change reverted. You can revert this entry too.");
      list.reload();
    } catch (fault) {
      showToast(asFault(fault).message);
    }
  };
  const names = collectNames(known?.items ?? []);
  const unnamed = (known?.items ?? []).filter(({ resource }) => !names.has(resource.id));
  const readNames = useNames(new Set(unnamed.map(({ resource }) => resource.type)));
  const nameOf = (entry: Entry) =>
    findName(entry) ?? names.get(entry.resource.id) ?? readNames.get(entry.resource.id);
  const showEntry = (entry: Entry) => (
    <li key={entry.id}>
      <AuditEntry
        entry={entry}
        name={nameOf(entry)}
        onRevert={() => void revert(entry)}
        onRestore={list.reload}
      />
    </li>
  );
  const isEmpty = known !== undefined && known.items.length === 0 && known.nextBefore === null;
  return (
    <section class="stack">
      <SectionHead
        title="Audit log"
        text="Every change in this workspace over the past year, and who made it."
        action={
          <Button
            icon="download"
            isDisabled={known === undefined || known.items.length === 0}
            onClick={() => saveEntries(known?.items ?? [])}
          >
            Export CSV
          </Button>
        }
      />
      <AuditToolbar filters={filters} entries={known?.items ?? []} />
      {list.fault !== null && <FaultNotice fault={list.fault} onRetry={list.reload} />}
      {isEmpty ? (
        <NoEntries isFiltered={isAuditFiltered(filters)} />
      ) : (
        <ol class={css.entries} aria-busy={known === undefined && list.fault === null ? "true" : undefined}>
          {known === undefined &&
            list.fault === null &&
            (["w-7", "w-5", "w-7", "w-9"] as const).map((width, index) => (
              <li key={`waiting-${index}`}>
                <Skeleton width={width} />
              </li>
            ))}
          {groupEntries(known?.items ?? []).map(([first, ...others]) =>
            first === undefined || others.length === 0 ? (
              first && showEntry(first)
            ) : (
              <li key={first.id}>
                <AuditGroup
                  entries={[first, ...others]}
                  names={[first, ...others].flatMap((entry) => nameOf(entry) ?? [])}
                >
                  {[first, ...others].map(showEntry)}
                </AuditGroup>
              </li>
            ),
          )}
        </ol>
      )}
      {known && known.nextBefore !== null && (
        <div class="row small muted">
          <ListFoot list={list} noun="entry" plural="entries" />
        </div>
      )}
    </section>
  );
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState title="No changes yet">
        New links, API keys, sign-ins and other changes will appear here, with who made them.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No entries match your filters"
      actions={<Button onClick={() => setQuery(NO_FILTERS)}>Clear filters</Button>}
    >
      Entries are kept for one year, including entries for deleted items.
    </EmptyState>
  );
}

/** Saves entries as a CSV file. */
function saveEntries(entries: readonly Entry[]): void {
  saveCsv(`audit-log-${new Date().toISOString().slice(0, 10)}.csv`, listAuditLines(entries));
  announce(`Exported ${formatCount(entries.length, "entry", "entries")}`);
}
