import { useEffect, useState } from "preact/hooks";
import type { PlannedRow } from "../../../client/import/plan-import.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ListCount } from "../../components/list-foot.tsx";
import rowNameCss from "../../components/row-name.module.css";
import { TileChoice } from "../../components/tile-choice.tsx";
import {
  type LineFilter,
  type LineState,
  listFilters,
  type PlanLine,
  pickLines,
  type Results,
  type Totals,
} from "./plan-lines.ts";
import css from "./plan-table.module.css";

/**
 * Number of rows shown at first and added by each click, because thousands of rows would make the page slow.
 */
const STEP = 100;

interface StateText {
  /** Text below the number of rows. */
  name: string;
  badge: string;
  tone: "plain" | "accent" | "good" | "warn" | "danger";
}

const STATE_TEXTS: Record<LineState, StateText> = {
  create: { name: "to create", badge: "New", tone: "accent" },
  created: { name: "created", badge: "Created", tone: "good" },
  exists: { name: "already exist", badge: "Already exists", tone: "plain" },
  duplicate: { name: "duplicates", badge: "Duplicate", tone: "plain" },
  conflict: { name: "with conflicts", badge: "Conflict", tone: "warn" },
  faulty: { name: "invalid", badge: "Invalid", tone: "danger" },
  failed: { name: "failed", badge: "Failed", tone: "danger" },
};

interface PlanTotalsProps {
  totals: Totals;
  shown: LineFilter;
  onShow: (filter: LineFilter) => void;
}

/** Tiles with the number of rows in each state. A click on a tile filters the table. */
export function PlanTotals({ totals, shown, onShow }: PlanTotalsProps) {
  const tiles = listFilters(totals, shown).map(({ filter, count }) => ({
    value: filter,
    label: count.toLocaleString("en-GB"),
    note: filter === "all" ? "rows" : STATE_TEXTS[filter].name,
  }));
  return (
    <div class={css.totals}>
      <TileChoice legend="Filter rows" isLegendHidden tiles={tiles} value={shown} onChange={onShow} />
    </div>
  );
}

interface PlanTableProps {
  rows: readonly PlannedRow[];
  results: Results;
  filter: LineFilter;
  /** Number of rows that match the filter. */
  count: number;
}

/** Table of the file's rows, each with its planned or actual result. */
export function PlanTable({ rows, results, filter, count }: PlanTableProps) {
  const [max, setMax] = useState(STEP);
  useEffect(() => setMax(STEP), [filter]);
  const listed = pickLines(rows, results, filter, max);
  return (
    <div class={`${dataTableCss.frame} ${css.rows}`}>
      <DataTable
        label="Rows in the file"
        columns={COLUMNS}
        rows={listed}
        getKey={({ index }) => String(index)}
        getName={({ line }) => `line ${line}`}
        isDimmed={({ state }) => state === "exists" || state === "duplicate"}
      />
      <div class={dataTableCss.foot}>
        <ListCount shown={listed.length} total={count} noun="row" />
        {listed.length < count && (
          <Button size="s" onClick={() => setMax(max + STEP)}>
            Show more
          </Button>
        )}
      </div>
    </div>
  );
}

const COLUMNS: Column<PlanLine>[] = [
  { name: "link", header: "Link", layout: "grow", cell: (line) => <LinkCell line={line} /> },
  {
    name: "result",
    header: "Result",
    layout: "half",
    cell: (line) => <ResultCell line={line} />,
  },
  {
    name: "line",
    header: "Line",
    layout: "fit end more numeric",
    cell: ({ line }) => <span class="muted">{line.toLocaleString("en-GB")}</span>,
  },
];

function LinkCell({ line }: { line: PlanLine }) {
  const { code, destination, title, formerUrl, shortUrl } = line;
  const name = code === null ? (formerUrl ?? `Line ${line.line}`) : `/${code}`;
  return (
    <span class={rowNameCss.linkName}>
      <span class="row">
        {shortUrl === null ? (
          <b class="one-line">{name}</b>
        ) : (
          <a class="one-line" href={shortUrl} target="_blank" rel="noreferrer">
            <b>{name}</b>
          </a>
        )}
        {title !== null && <span class="one-line muted">{title}</span>}
      </span>
      {destination !== null && <span class="one-line small muted">{destination}</span>}
    </span>
  );
}

function ResultCell({ line: { state, reason, notes } }: { line: PlanLine }) {
  const { badge, tone } = STATE_TEXTS[state];
  const text = [reason, ...notes].filter((part) => part !== "").join("; ");
  return (
    <span class={css.text}>
      <Badge tone={tone}>{badge}</Badge>
      {text !== "" && <span class="muted">{text}</span>}
    </span>
  );
}
