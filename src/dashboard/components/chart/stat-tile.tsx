import type { ComponentChildren } from "preact";
import { Badge } from "../badge.tsx";
import { Skeleton } from "../states.tsx";

interface StatTileProps {
  label: string;
  /** Undefined while it is read. */
  value: ComponentChildren | undefined;
  /** Change against the period before. */
  change?: { text: string; direction: "up" | "down" | "same" } | null | undefined;
  /** Words about the number, or the number before. */
  note?: ComponentChildren;
}

const SIGNS = { up: "↑", down: "↓", same: "" } as const;
const WORDS = {
  up: "more than before:",
  down: "less than before:",
  same: "against the period before:",
} as const;

/** Number with its name, and how it changed. */
export function StatTile({ label, value, change, note }: StatTileProps) {
  return (
    <div class="stat" aria-busy={value === undefined || undefined}>
      <dt>{label}</dt>
      <dd>
        {value === undefined ? (
          <span class="stat-value">
            <Skeleton width="w-5" />
          </span>
        ) : (
          <span class="row wrap">
            <b class="stat-value numeric">{value}</b>
            {change && (
              <Badge tone={change.direction === "up" ? "good" : "plain"}>
                <span class="only-heard">{WORDS[change.direction]} </span>
                <span aria-hidden="true">{SIGNS[change.direction]}</span> {change.text}
              </Badge>
            )}
          </span>
        )}
        <span class="stat-note">{note}</span>
      </dd>
    </div>
  );
}

/** Numbers side by side. */
export function StatRow({ children }: { children: ComponentChildren }) {
  return <dl class="stats">{children}</dl>;
}
