import type { RouteParameters } from "../../address/route-match.ts";
import buttonCss from "../../components/button.module.css";
import screenCss from "../../components/screen.module.css";
import { EmptyState, FaultNotice, Skeleton } from "../../components/states.tsx";
import { asFault } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { formatPageKey, type Page, readBioPage } from "../pages/page-store.ts";
import { PageEditor } from "./page-editor.tsx";

/** Loads a bio page and opens it in the editor. */
export default function PageEditorScreen({ parameters }: { parameters: RouteParameters }) {
  const id = parameters.page_id ?? "";
  const page = useResource<Page>(formatPageKey(id), () => readBioPage(id));
  if (page.value !== undefined) return <PageEditor key={id} page={page.value} />;
  const isMissing = page.fault !== null && asFault(page.fault).kind === "missing";
  return (
    <div class={screenCss.screen} data-ui="screen" aria-busy={page.fault === null}>
      <div class={screenCss.head} data-ui="screen-head">
        <h1>Bio page</h1>
      </div>
      {isMissing ? (
        <EmptyState
          title="Page not found"
          actions={
            <a class={`${buttonCss.button} ${buttonCss.primary}`} data-ui="button" href="/pages">
              View all pages
            </a>
          }
        >
          It may have been deleted, or it belongs to another workspace.
        </EmptyState>
      ) : page.fault !== null ? (
        <FaultNotice fault={page.fault} onRetry={page.reload} />
      ) : (
        <div class="stack">
          <Skeleton width="w-5" />
          <Skeleton width="w-9" />
          <Skeleton width="w-7" />
        </div>
      )}
    </div>
  );
}
