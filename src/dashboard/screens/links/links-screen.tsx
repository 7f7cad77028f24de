import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { query, setQuery } from "../../address/address.ts";
import { KeyHint } from "../../components/badge.tsx";
import buttonCss from "../../components/button.module.css";
import { Button, joinClasses } from "../../components/button.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { DataTable } from "../../components/data-table.tsx";
import { LazyPart, preloadPart } from "../../components/lazy-part.tsx";
import { ListFoot } from "../../components/list-foot.tsx";
import screenCss from "../../components/screen.module.css";
import { FaultNotice } from "../../components/states.tsx";
import { announce } from "../../components/toast-list.ts";
import { usePagedList } from "../../data/resources.ts";
import { useShortcuts } from "../../keyboard/shortcuts.ts";
import { isCompact } from "../../session/density-choice.ts";
import { canEdit } from "../../session/session.ts";
import { bulkWork, stopWork } from "./bulk-progress.ts";
import { buildColumns } from "./link-columns.tsx";
import { isFiltered, readFilters, toLinkQuery } from "./link-filters.ts";
import { formatListKey, type Link, type LinkPage, readPage } from "./link-store.ts";
import css from "./links-screen.module.css";
import { LinksToolbar } from "./links-toolbar.tsx";
import { NoLinks } from "./no-links.tsx";
import { usePastedAddress } from "./use-pasted-address.ts";

const loadPanel = () => import("./link-panel.tsx");
const loadBulkBar = () => import("./bulk-bar.tsx");

/** Links screen: a table with filters, a panel to create and edit links, and bulk actions. */
export default function LinksScreen() {
  const filters = readFilters(query.value);
  const linkQuery = toLinkQuery(filters);
  const key = formatListKey(linkQuery);
  const list = usePagedList<LinkPage>(key, (before) => readPage(linkQuery, before));
  const [chosen, setChosen] = useState<ReadonlyMap<string, Link>>(new Map());
  const search = useRef<HTMLInputElement>(null);
  const openedId = new URLSearchParams(query.value).get("link");
  const page = list.value;

  useEffect(() => setChosen(new Map()), [key]);
  useEffect(() => {
    if (page && !list.isLoading && isFiltered(filters)) announce(formatCount(page.items.length, "link"));
  }, [page?.items.length, list.isLoading]);
  // Preloads the code of the panel and the bar, so that they open without a delay.
  useEffect(() => {
    preloadPart(loadPanel);
    preloadPart(loadBulkBar);
  }, []);
  // Stops a bulk action when the screen closes, because its progress is only shown here.
  useEffect(() => stopWork, []);
  usePastedAddress((url) => setQuery({ link: "new", url }, { push: true }));
  const open = (id: string) => setQuery({ link: id }, { push: true });
  const create = () => canEdit.peek() && open("new");
  useShortcuts([
    { keys: "/", label: "Search links", run: () => search.current?.focus() },
    { keys: "c", label: "Create link", run: create },
  ]);
  const choose = (ids: ReadonlySet<string>) => {
    const known = new Map([...chosen, ...(page?.items ?? []).map((link) => [link.id, link] as const)]);
    setChosen(new Map([...known].filter(([id]) => ids.has(id))));
  };

  const shown = page?.items;
  const isEmpty = shown?.length === 0 && page?.nextBefore === null;
  return (
    <div class={`${screenCss.screen} ${css.links}`} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <h1>Links</h1>
        {canEdit.value && (
          <Button kind="primary" icon="plus" onClick={create} aria-keyshortcuts="c">
            Create link
            <KeyHint keys="c" />
          </Button>
        )}
      </div>
      <LinksToolbar filters={filters} search={search} />
      {list.fault !== null && <FaultNotice fault={list.fault} onRetry={list.reload} />}
      {isEmpty ? (
        <NoLinks isFiltered={isFiltered(filters)} />
      ) : (
        (page !== undefined || list.fault === null) && (
          <div class={dataTableCss.frame}>
            <DataTable
              label="Links"
              isCompact={isCompact.value}
              columns={buildColumns({ onOpen: open, nowMs: Date.now() })}
              rows={shown}
              getKey={({ id }) => id}
              getName={({ short_code }) => short_code}
              isDimmed={({ enabled, archived }) => !enabled || archived}
              onOpen={({ id }) => open(id)}
              selection={canEdit.value ? { chosen: new Set(chosen.keys()), onChange: choose } : undefined}
              order={{
                sort: filters.sort,
                onSort: (sort) => setQuery({ sort: sort === "created_at" ? null : sort }),
              }}
            />
            <div class={dataTableCss.foot}>
              <ListFoot list={list} noun="link">
                <a class={joinClasses(buttonCss.button, buttonCss.plain, buttonCss.s)} href="/settings/trash">
                  Trash
                </a>
                <Button
                  kind="plain"
                  size="s"
                  icon="download"
                  isBusy={bulkWork.value !== null}
                  onClick={() =>
                    page &&
                    void import("./bulk-work.ts").then((module) => module.saveAllShown(linkQuery, page))
                  }
                >
                  Export CSV
                </Button>
              </ListFoot>
            </div>
          </div>
        )
      )}
      {(chosen.size > 0 || bulkWork.value !== null) && page && (
        <LazyPart
          load={loadBulkBar}
          properties={{ chosen, page, linkQuery, onChoose: setChosen }}
          hidesSkeleton
        />
      )}
      {openedId !== null && (
        <LazyPart key={openedId} load={loadPanel} properties={{ id: openedId, page }} hidesSkeleton />
      )}
    </div>
  );
}
