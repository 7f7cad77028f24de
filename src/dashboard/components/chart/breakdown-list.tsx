import type { ComponentChildren } from "preact";
import { joinClasses } from "../button.tsx";
import { Flag } from "../flag.tsx";
import { Skeleton } from "../states.tsx";
import css from "./breakdown-list.module.css";
import { formatShare } from "./chart-scale.ts";

/** Value in a breakdown, with its count. */
export interface BreakdownItem {
  value: string;
  /** Display name. */
  text: ComponentChildren;
  /** ISO 3166-1 code of the country whose flag is shown before the name. */
  country?: string | null | undefined;
  count: number;
  /** Text shown when the pointer is on the count. */
  note?: string | undefined;
  /** URL that the name links to. */
  href?: string | undefined;
  isChosen?: boolean | undefined;
}

interface BreakdownListProps {
  label: string;
  /** Undefined until items are first loaded. */
  items: readonly BreakdownItem[] | undefined;
  /** Number of all scans, from which the shares are computed. */
  total: number;
  isStale?: boolean | undefined;
  /** Called when a value is clicked, to filter by it. */
  onChoose?: ((value: string) => void) | undefined;
}

const WAITING = ["w-9", "w-7", "w-5", "w-5", "w-3"] as const;

/** List of values with their counts. The bar behind each value compares its count with the largest count. */
export function BreakdownList({ label, items, total, isStale, onChoose }: BreakdownListProps) {
  if (items === undefined) {
    return (
      <div class={css.breakdown} aria-busy="true">
        {WAITING.map((width, index) => (
          <div key={index} class={css.row}>
            <Skeleton width={width} />
          </div>
        ))}
      </div>
    );
  }
  const max = Math.max(1, ...items.map(({ count }) => count));
  return (
    <ol class={joinClasses(css.breakdown, isStale && css.stale)} aria-label={label}>
      {items.map((item) => (
        <li key={item.value} class={css.row} style={{ "--share": String(item.count / max) }}>
          <Name item={item} onChoose={onChoose} />
          <span class={`numeric ${css.share}`}>{formatShare(item.count, total)}</span>
          <span class={`numeric ${css.count}`} title={item.note}>
            {item.count.toLocaleString("en-GB")}
            {item.note && <span class="visually-hidden"> ({item.note})</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Name({ item, onChoose }: { item: BreakdownItem } & Pick<BreakdownListProps, "onChoose">) {
  const { value, text, country, href, isChosen } = item;
  const content = (
    <>
      {country && <Flag country={country} />}
      <span class="one-line">{text}</span>
    </>
  );
  if (href !== undefined) {
    return (
      <a class={css.name} href={href}>
        {content}
      </a>
    );
  }
  if (!onChoose) return <span class={css.name}>{content}</span>;
  return (
    <button type="button" class={css.name} aria-pressed={isChosen ?? false} onClick={() => onChoose(value)}>
      {content}
    </button>
  );
}
