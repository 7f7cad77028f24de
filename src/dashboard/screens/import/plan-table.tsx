import { useEffect, useState } from "preact/hooks";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { TileChoice } from "../../components/tile-choice.tsx";
import {
  type LineFilter,
  type LineState,
  listFilters,
  type PlanLine,
  pickLines,
  type Totals,
} from "./plan-lines.ts";

/** Lines that are listed at first, and how many more a click adds: thousands of rows would make the page slow. */
const STEP = 100;

const STATE_TEXTS: Record<
  LineState,
  { name: string; badge: string; tone: "plain" | "accent" | "good" | "warn" | "danger" }
> = {
  make: { name: "to be made", badge: "Will be made", tone: "accent" },
  made: { name: "made", badge: "Made", tone: "good" },
  exists: { name: "exist already", badge: "Exists already", tone: "plain" },
  conflict: { name: "in conflict", badge: "In conflict", tone: "warn" },
  skipped: { name: "skipped", badge: "Skipped", tone: "plain" },
  failed: { name: "failed", badge: "Failed", tone: "danger" },
};

interface PlanTotalsProps {
  totals: Totals;
  shown: LineFilter;
  onShow: (filter: LineFilter) => void;
}

/** Number of rows of each state. Choosing one lists these rows. */
export function PlanTotals({ totals, shown, onShow }: PlanTotalsProps) {
  const tiles = listFilters(totals).map(({ filter, count }) => ({
    value: filter,
    label: count.toLocaleString("en-GB"),
    note: filter === "all" ? "rows" : STATE_TEXTS[filter].name,
  }));
  return (
    <div class="plan-totals">
      <TileChoice
        legend="Rows that are listed"
        isLegendHidden
        tiles={tiles}
        value={shown}
        onChange={onShow}
      />
    </div>
  );
}

interface PlanTableProps {
  lines: readonly PlanLine[];
  /** Number of lines that fit the filter. */
  count: number;
  filter: LineFilter;
}

/** Rows of the file with what becomes of each. */
export function PlanTable({ lines, count, filter }: PlanTableProps) {
  const [max, setMax] = useState(STEP);
  useEffect(() => setMax(STEP), [filter]);
  const listed = pickLines(lines, filter, max);
  return (
    <div class="table-frame">
      <DataTable
        label="Rows of the file"
        columns={COLUMNS}
        rows={listed}
        getKey={({ line }) => String(line)}
        getName={({ line }) => `line ${line}`}
        isQuiet={({ state }) => state === "exists" || state === "skipped"}
      />
      <div class="table-foot">
        <span class="numeric">
          {listed.length < count
            ? `${listed.length.toLocaleString("en-GB")} of ${count.toLocaleString("en-GB")} rows`
            : `${count.toLocaleString("en-GB")} ${count === 1 ? "row" : "rows"}`}
        </span>
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
  { name: "link", header: "Link", classes: "grow", cell: (line) => <Link line={line} /> },
  {
    name: "result",
    header: "What becomes of it",
    classes: "plan-result more bare",
    cell: (line) => <Result line={line} />,
  },
  {
    name: "line",
    header: "Line",
    classes: "fit end more numeric",
    cell: ({ line }) => line.toLocaleString("en-GB"),
  },
];

function Link({ line: { line, code, destination, title } }: { line: PlanLine }) {
  return (
    <span class="link-name">
      <b class="one-line">
        {code === null ? (title ?? (destination === null ? `Line ${line}` : "New short code")) : `/${code}`}
      </b>
      {destination !== null && <span class="one-line small muted">{destination}</span>}
    </span>
  );
}

function Result({ line: { state, reason, notes } }: { line: PlanLine }) {
  const { badge, tone } = STATE_TEXTS[state];
  return (
    <span class="row wrap">
      <Badge tone={tone}>{badge}</Badge>
      {reason !== "" && <span>{reason}</span>}
      {notes.map((note) => (
        <span key={note} class="muted">
          {note}
        </span>
      ))}
    </span>
  );
}
