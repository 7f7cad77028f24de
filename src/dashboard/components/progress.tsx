import { formatCount } from "./format-count.ts";
import css from "./progress.module.css";

/** Progress bar. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <progress
      class={css.progress}
      data-ui="progress"
      aria-label={label}
      max={Math.max(1, total)}
      value={done}
    />
  );
}

interface ListCountProps {
  /** Number of items shown, and total number. If `isTotalCapped`, there may be more than `total`. */
  shown: number;
  total: number;
  isTotalCapped: boolean;
  noun: string;
}

/** Text below a list that shows how much of it is visible. */
export function ListCount({ shown, total, isTotalCapped, noun }: ListCountProps) {
  const all = isTotalCapped ? `${total.toLocaleString("en-GB")}+ ${noun}s` : formatCount(total, noun);
  return <span class="numeric">{shown < total ? `${shown.toLocaleString("en-GB")} of ${all}` : all}</span>;
}
