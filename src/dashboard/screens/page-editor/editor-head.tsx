import { navigate } from "../../address/address.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import screenCss from "../../components/screen.module.css";
import { canEdit } from "../../session/session.ts";
import { duplicatePage, removePage, togglePublished } from "../pages/page-commands.ts";
import type { Page } from "../pages/page-store.ts";
import css from "./editor-head.module.css";
import type { PageForm } from "./use-page-form.ts";

interface EditorHeadProps {
  page: Page;
  form: PageForm;
  /** Saves all changes. Resolves with null if that fails. */
  onSave: () => Promise<Page | null>;
}

/** Sticky head of the editor: the page's title, status and URL, and its actions. */
export function EditorHead({ page, form, onSave }: EditorHeadProps) {
  const { isChanged, isBusy } = form;
  const publish = async () => {
    const saved = isChanged && !page.is_published ? await onSave() : page;
    if (saved !== null) await togglePublished(saved);
  };
  return (
    <div class={`${screenCss.head} ${css.head}`} data-ui="screen-head">
      <div class={css.name}>
        <a class={`small muted row ${css.back}`} href="/pages">
          <span class={css.turned}>
            <Icon name="chevron" size={14} />
          </span>
          Bio pages
        </a>
        <div class="row">
          <h1 class="one-line">{form.draft.title.trim() || "Untitled"}</h1>
          <Badge tone={page.is_published ? "good" : "plain"}>
            {page.is_published ? "Published" : "Unpublished"}
          </Badge>
        </div>
        <div class={`row ${css.address}`}>
          {page.is_published ? (
            <a class="small one-line" href={page.html_url} target="_blank" rel="noopener">
              {page.html_url.replace(/^https?:\/\//, "")}
            </a>
          ) : (
            <span class="small muted one-line">{page.html_url.replace(/^https?:\/\//, "")}</span>
          )}
          <CopyButton text={page.html_url} what="page URL" />
        </div>
      </div>
      {canEdit.value && (
        <div class={`row ${css.commands}`}>
          <Button
            kind="plain"
            icon="undo"
            aria-label="Undo"
            aria-keyshortcuts="Control+Z"
            isDisabled={!form.canUndo}
            onClick={form.undo}
          />
          <span class={css.mirrored}>
            <Button
              kind="plain"
              icon="undo"
              aria-label="Redo"
              aria-keyshortcuts="Control+Shift+Z"
              isDisabled={!form.canRedo}
              onClick={form.redo}
            />
          </span>
          <EditorMenu page={page} form={form} onPublish={publish} />
          {!page.is_published && <Button onClick={() => void publish()}>Publish</Button>}
          <Button
            kind="primary"
            isBusy={isBusy}
            isDisabled={!isChanged}
            aria-keyshortcuts="Control+S"
            onClick={() => void onSave()}
          >
            {isChanged || isBusy ? "Save" : "Saved"}
          </Button>
        </div>
      )}
    </div>
  );
}

function EditorMenu({
  page,
  form,
  onPublish,
}: Omit<EditorHeadProps, "onSave"> & { onPublish: () => Promise<void> }) {
  const discard: MenuItem[] = form.isChanged
    ? [{ label: "Discard changes", icon: "undo", onSelect: form.discard }]
    : [];
  const unpublish: MenuItem[] = page.is_published
    ? [{ label: "Unpublish", icon: "pause", onSelect: () => void onPublish() }]
    : [];
  const duplicate: MenuItem = { label: "Duplicate", icon: "copy", onSelect: () => void duplicatePage(page) };
  const remove: MenuItem = {
    label: "Delete",
    icon: "trash",
    isDanger: true,
    onSelect: () => void removePage(page).then((isDeleted) => isDeleted && navigate("/pages")),
  };
  const groups = [discard, [...unpublish, duplicate], [remove]].filter((items) => items.length > 0);
  return (
    <Menu label="Actions for this page" groups={groups}>
      {(trigger) => <Button kind="plain" icon="more" aria-label="Actions for this page" {...trigger} />}
    </Menu>
  );
}
