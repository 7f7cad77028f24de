import { formatCount } from "../../../core/format-count.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { canEdit } from "../../session/session.ts";
import { readBioUrl } from "./bio-url.ts";
import css from "./page-card.module.css";
import { duplicatePage, removePage, togglePublished } from "./page-commands.ts";
import { PageFrame } from "./page-frame.tsx";
import type { Page } from "./page-store.ts";
import { readShownScheme } from "./shown-scheme.ts";

/** Size at which the page is rendered before it is scaled down. */
const PICTURE = { widthPx: 390, heightPx: 480 } as const;

/** Card of a page: preview, status, URL and counts. */
export function PageCard({ page, nowMs }: { page: Page; nowMs: number }) {
  const address = page.html_url.replace(/^https?:\/\//, "");
  return (
    <li class={css.card}>
      <div class={css.picture} data-ui="page-picture">
        <PageFrame
          page={page}
          bioUrl={readBioUrl(page)}
          scheme={readShownScheme()}
          nowMs={nowMs}
          {...PICTURE}
        />
      </div>
      <div class={css.text}>
        <div class="row">
          <h2>
            <a class={`one-line ${css.link}`} href={`/pages/${page.id}`}>
              {page.title}
            </a>
          </h2>
          <span class="push">
            <Badge tone={page.is_published ? "good" : "plain"}>
              {page.is_published ? "Published" : "Unpublished"}
            </Badge>
          </span>
        </div>
        <div class={`row ${css.address}`}>
          <span class="one-line small muted">{address}</span>
          <CopyButton text={page.html_url} what={`URL of ${page.title}`} />
        </div>
        <div class="row">
          <span class="small muted numeric">{formatVisits(page)}</span>
          <span class="push">
            <PageMenu page={page} />
          </span>
        </div>
      </div>
    </li>
  );
}

/** Formats the views and clicks of a page, such as "12 views · 3 clicks". */
export function formatVisits({ view_count: views, click_count: clicks }: Page): string {
  return `${formatCount(views, "view")} · ${formatCount(clicks, "click")}`;
}

function PageMenu({ page }: { page: Page }) {
  const open: MenuItem[] = page.is_published
    ? [
        {
          label: "Open page",
          icon: "external",
          onSelect: () => void window.open(page.html_url, "_blank", "noopener"),
        },
      ]
    : [];
  const change: MenuItem[] = [
    {
      label: page.is_published ? "Unpublish" : "Publish",
      icon: page.is_published ? "pause" : "play",
      onSelect: () => void togglePublished(page),
    },
    { label: "Duplicate", icon: "copy", onSelect: () => void duplicatePage(page) },
  ];
  const remove: MenuItem = {
    label: "Delete",
    icon: "trash",
    isDanger: true,
    onSelect: () => void removePage(page),
  };
  const groups = canEdit.value ? [open, change, [remove]] : [open];
  const shown = groups.filter((items) => items.length > 0);
  if (shown.length === 0) return null;
  return (
    <Menu label={`Actions for ${page.title}`} groups={shown}>
      {(trigger) => (
        <Button kind="plain" size="s" icon="more" aria-label={`Actions for ${page.title}`} {...trigger} />
      )}
    </Menu>
  );
}
