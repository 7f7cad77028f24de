import type { ComponentChildren } from "preact";
import { Badge } from "../badge.tsx";
import { Skeleton } from "../states.tsx";
import css from "./stat-tile.module.css";

interface StatTileProps {
  label: string;
  /** Undefined until the value is loaded. */
  value: ComponentChildren | undefined;
  /** Change from the previous period. */
  change?: { text: string; direction: "up" | "down" | "same" } | null | undefined;
  /** Text about the number, or the previous number. */
  note?: ComponentChildren;
}

const SIGNS = { up: "↑", down: "↓", same: "" } as const;
const CHANGE_LABELS = {
  up: "Up from the previous period:",
  down: "Down from the previous period:",
  same: "Compared with the previous period:",
} as const;

/** Number with its label and its change. */
export function StatTile({ label, value, change, note }: StatTileProps) {
  return (
    <div class={css.stat} aria-busy={value === undefined || undefined}>
      <dt>{label}</dt>
      <dd>
        {value === undefined ? (
          <span class={css.value}>
            <Skeleton width="w-5" />
          </span>
        ) : (
          <span class="row wrap">
            <b class={`numeric ${css.value}`}>{value}</b>
            {change && (
              <Badge tone={change.direction === "up" ? "good" : "plain"}>
                <span class="visually-hidden">{CHANGE_LABELS[change.direction]} </span>
                <span aria-hidden="true">{SIGNS[change.direction]}</span> {change.text}
              </Badge>
            )}
          </span>
        )}
        <span class={css.note}>{note}</span>
      </dd>
    </div>
  );
}

export function StatRow({ children }: { children: ComponentChildren }) {
  return <dl class={css.stats}>{children}</dl>;
}
