import { useMemo } from "preact/hooks";
import { query, setQuery } from "../../address/address.ts";
import { KeyHint } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ListFoot } from "../../components/list-foot.tsx";
import screenCss from "../../components/screen.module.css";
import { EmptyState, FaultNotice, Skeleton } from "../../components/states.tsx";
import { usePagedList } from "../../data/resources.ts";
import { useShortcuts } from "../../keyboard/shortcuts.ts";
import { canEdit } from "../../session/session.ts";
import { NewPageDialog } from "./new-page-dialog.tsx";
import pageCardCss from "./page-card.module.css";
import { PageCard } from "./page-card.tsx";
import { PAGES_KEY, type PageList, readPages } from "./page-store.ts";
import css from "./pages-screen.module.css";
import { STARTERS } from "./starters.ts";

/** Bio pages screen: a card with a preview for each page, and a dialog to create pages. */
export default function PagesScreen() {
  const list = usePagedList<PageList>(PAGES_KEY, readPages);
  const nowMs = useMemo(Date.now, []);
  const starter = new URLSearchParams(query.value).get("new");
  const known = list.value;
  const pages = known?.items;
  const create = () => canEdit.peek() && setQuery({ new: STARTERS[0].name }, { push: true });
  useShortcuts([{ keys: "c", label: "Create bio page", run: create }]);

  return (
    <div class={screenCss.screen} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <h1>Bio pages</h1>
        {canEdit.value && pages?.length !== 0 && (
          <Button kind="primary" icon="plus" onClick={create} aria-keyshortcuts="c">
            Create page
            <KeyHint keys="c" />
          </Button>
        )}
      </div>
      {list.fault !== null && <FaultNotice fault={list.fault} onRetry={list.reload} />}
      {pages?.length === 0 ? (
        <NoPages onCreate={create} />
      ) : (
        (pages !== undefined || list.fault === null) && (
          <>
            <ul class={css.pageCards} aria-label="Bio pages" aria-busy={pages === undefined}>
              {pages?.map((page) => <PageCard key={page.id} page={page} nowMs={nowMs} />) ?? <WaitingCards />}
            </ul>
            <div class="row small muted">
              <ListFoot list={list} noun="page" />
            </div>
          </>
        )
      )}
      {starter !== null && canEdit.value && (
        <NewPageDialog starterName={starter} host={known?.items[0]} nowMs={nowMs} />
      )}
    </div>
  );
}

function NoPages({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      title="One page for all your links"
      actions={
        canEdit.value && (
          <Button kind="primary" icon="plus" onClick={onCreate}>
            Create your first page
          </Button>
        )
      }
    >
      {canEdit.value
        ? "Start from a working example, such as a musician's or café's page, and make it your own. It stays private until you publish it."
        : "No bio pages yet. Editors and owners can create them."}
    </EmptyState>
  );
}

const WAITING = [0, 1, 2];

function WaitingCards() {
  return WAITING.map((index) => (
    <li key={index} class={pageCardCss.card}>
      <div class={pageCardCss.picture} data-ui="page-picture" />
      <div class={pageCardCss.text}>
        <Skeleton width="w-7" />
        <Skeleton width="w-5" />
        <Skeleton width="w-3" />
      </div>
    </li>
  ));
}
