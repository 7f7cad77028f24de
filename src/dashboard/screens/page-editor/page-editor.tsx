import { useEffect, useRef } from "preact/hooks";
import { navigate, query, setQuery } from "../../address/address.ts";
import { readChoice } from "../../address/query-state.ts";
import screenCss from "../../components/screen.module.css";
import { Segments } from "../../components/segments.tsx";
import { FaultNotice, Notice } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { showToast } from "../../components/toast-list.ts";
import { canEdit } from "../../session/session.ts";
import { readBioUrl } from "../pages/bio-url.ts";
import type { Page } from "../pages/page-store.ts";
import { EditorHead } from "./editor-head.tsx";
import { EDITOR_TABS, findFaultLocation, formatTabLabel } from "./editor-tabs.ts";
import { ContentFields } from "./page-content-fields.tsx";
import { DesignFields } from "./page-design-fields.tsx";
import css from "./page-editor.module.css";
import { PreviewPane, type PreviewTarget } from "./preview-pane.tsx";
import { SharingFields } from "./sharing-fields.tsx";
import { useEditorKeys } from "./use-editor-keys.ts";
import { usePageForm } from "./use-page-form.ts";
import { VisitsTab } from "./visits-tab.tsx";

const PANES = [
  { value: "edit", label: "Edit", icon: "edit" },
  { value: "preview", label: "Preview", icon: "phone" },
] as const;

/** Form of a page next to its preview. Narrow screens show one of them at a time. */
export function PageEditor({ page }: { page: Page }) {
  const form = usePageForm(page, (faults, sent) => {
    const location = findFaultLocation(faults, sent);
    if (location === null) return;
    const { tab, block } = location;
    const open = block === null ? {} : { block: String(block) };
    setQuery({ tab: tab === "content" ? null : tab, show: null, ...open });
  });
  const root = form.element;
  const focus = (selector: string) =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(selector)?.focus());
  const { draft, faults } = form;
  const tab = readChoice(query.value, "tab", EDITOR_TABS);
  const pane = readChoice(query.value, "show", ["edit", "preview"]);
  const openIndex = readOpenBlock(query.value);
  const openKey = openIndex === null ? null : (draft.blocks[openIndex]?.key ?? null);
  const last = useRef({ key: openKey, index: openIndex });
  useLeavingNote(page, form.isChanged);

  // Keeps the same block open when the order changes. If the change opened another block, such as a new one,
  // that one stays open.
  const order = draft.blocks.map(({ key }) => key).join();
  useEffect(() => {
    const { key, index: former } = last.current;
    const index = draft.blocks.findIndex((block) => block.key === key);
    if (key !== null && openIndex === former && index !== openIndex)
      setQuery({ block: index < 0 ? null : String(index) });
  }, [order]);
  useEffect(() => {
    last.current = { key: openKey, index: openIndex };
  }, [openIndex, order]);

  const save = async () => {
    const saved = await form.save();
    if (saved !== null) showToast(saved.is_published ? "Saved and live" : "Saved");
    return saved;
  };
  const openTarget = (target: PreviewTarget) => {
    const block = target.part === "block" ? String(target.index) : undefined;
    setQuery({ tab: null, show: null, ...(block !== undefined && { block }) });
    focus(
      target.part === "block" ? "[data-open] [data-ui=input]" : `[data-part=${target.part}] [data-ui=input]`,
    );
  };
  useEditorKeys({ save: () => void save(), undo: form.undo, redo: form.redo });
  return (
    <div class={`${screenCss.screen} ${css.editor}`} data-ui="screen" ref={root} data-pane={pane}>
      <EditorHead page={page} form={form} onSave={save} />
      {form.fault && <FaultNotice fault={form.fault} onRetry={() => void save()} />}
      {form.warnings.length > 0 && (
        <Notice tone="warn">
          {form.warnings.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Notice>
      )}
      <div class={css.panes}>
        <div class={css.editPane}>
          <Tabs
            label="Page sections"
            tabs={EDITOR_TABS.map((name) => ({ name, label: formatTabLabel(name, faults) }))}
            shown={tab}
            onShow={(name) => setQuery({ tab: name === "content" ? null : name })}
          >
            <fieldset class={`stack ${css.tabContent}`} disabled={!canEdit.value && tab !== "visits"}>
              {tab === "content" && <ContentFields form={form} openKey={openKey} />}
              {tab === "design" && <DesignFields form={form} page={page} />}
              {tab === "sharing" && <SharingFields form={form} page={page} />}
              {tab === "visits" && <VisitsTab page={page} />}
            </fieldset>
          </Tabs>
        </div>
        <PreviewPane
          draft={draft}
          slug={page.slug}
          bioUrl={readBioUrl(page)}
          marked={tab === "content" ? openIndex : null}
          onOpen={openTarget}
        />
      </div>
      <div class={css.paneSwitch}>
        <Segments
          label="View"
          segments={PANES}
          value={pane}
          onChange={(pane) => setQuery({ show: pane === "edit" ? null : pane })}
        />
      </div>
    </div>
  );
}

/** Returns the index of the open block from the query string, or null. */
function readOpenBlock(query: string): number | null {
  const text = new URLSearchParams(query).get("block") ?? "";
  return /^\d{1,3}$/.test(text) ? Number(text) : null;
}

/** Shows a toast when the user leaves the editor with unsaved changes, which are kept as a draft. */
function useLeavingNote({ id }: Page, isChanged: boolean): void {
  const changed = useRef(isChanged);
  changed.current = isChanged;
  useEffect(
    () => () => {
      if (!changed.current) return;
      const run = () => navigate(`/pages/${id}`);
      showToast("Not saved. Your changes are still here.", { label: "Continue editing", run });
    },
    [],
  );
}
