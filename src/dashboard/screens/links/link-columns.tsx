import { formatCount } from "../../../core/format-count.ts";
import { Badge } from "../../components/badge.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import type { Column } from "../../components/data-table.tsx";
import { formatAge } from "../../components/format-moment.ts";
import { Icon } from "../../components/icon.tsx";
import { LabelBadge } from "../../components/label-badge.tsx";
import rowNameCss from "../../components/row-name.module.css";
import { judgeLink, shortenAddress } from "../../data/link-state.ts";
import css from "./link-columns.module.css";
import { LinkMenu } from "./link-menu.tsx";
import type { Link } from "./link-store.ts";

const LABELS_SHOWN = 2;

interface ColumnOptions {
  onOpen: (id: string) => void;
  nowMs: number;
}

export function buildColumns({ onOpen, nowMs }: ColumnOptions): Column<Link>[] {
  return [
    {
      name: "link",
      header: "Link",
      layout: "grow",
      cell: (link) => <LinkName link={link} onOpen={onOpen} />,
    },
    {
      name: "labels",
      header: "Labels",
      layout: "more bare labels",
      cell: ({ labels }) => <Labels labels={labels} />,
    },
    {
      name: "scans",
      header: "Scans",
      layout: "fit end more numeric",
      sort: "scan_count",
      cell: ({ scan_count }) => scan_count.toLocaleString("en-GB"),
    },
    {
      name: "last",
      header: "Last scan",
      layout: "fit end more numeric",
      sort: "last_scan_at",
      cell: ({ last_scan_at }) => (last_scan_at === null ? "–" : formatAge(last_scan_at, nowMs)),
    },
    {
      name: "created",
      header: "Created",
      layout: "fit end more numeric created",
      sort: "created_at",
      cell: ({ created_at }) => formatAge(created_at, nowMs),
    },
    {
      name: "menu",
      header: "Actions",
      isHeaderHidden: true,
      layout: "fit end",
      cell: (link) => <LinkMenu link={link} onOpen={onOpen} />,
    },
  ];
}

function LinkName({ link, onOpen }: { link: Link; onOpen: (id: string) => void }) {
  const state = judgeLink(link, Date.now());
  return (
    <div class={rowNameCss.linkName}>
      <div class="row">
        <button type="button" class={rowNameCss.linkCode} data-ui="link-code" onClick={() => onOpen(link.id)}>
          <span class="one-line">{link.title ?? `/${link.short_code}`}</span>
        </button>
        {state.word !== "Active" && <Badge tone={state.tone}>{state.word}</Badge>}
        {link.has_password && (
          <span class="muted" role="img" aria-label="Password protected">
            <Icon name="lock" size={14} />
          </span>
        )}
        {link.routing_rules.length > 0 && (
          <span class="small muted">{formatCount(link.routing_rules.length, "rule")}</span>
        )}
        <span class={css.copy}>
          <CopyButton text={link.short_url} what={`short URL of ${link.short_code}`} />
        </span>
      </div>
      <span class="one-line small muted">
        {link.title !== null && <span class={rowNameCss.path}>/{link.short_code}</span>}
        {shortenAddress(link.destination)}
      </span>
    </div>
  );
}

function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  const more = labels.length - LABELS_SHOWN;
  return (
    <span class="row">
      {labels.slice(0, LABELS_SHOWN).map((label) => (
        <a
          key={label}
          class={css.label}
          href={`/links?${new URLSearchParams({ label })}`}
          title={`Show links with the label ${label}`}
        >
          <LabelBadge label={label} />
        </a>
      ))}
      {more > 0 && (
        <span class="muted small" title={labels.slice(LABELS_SHOWN).join(", ")}>
          +{more}
        </span>
      )}
    </span>
  );
}
