/** Bar for work with a known end. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  return <progress class="progress" aria-label={label} max={Math.max(1, total)} value={done} />;
}

interface ListCountProps {
  /** Number of items that are shown, and of all; the latter may be unknown beyond a bound. */
  shown: number;
  total: number;
  isTotalCapped: boolean;
  noun: string;
}

/** Text below a list: how much of it is shown. */
export function ListCount({ shown, total, isTotalCapped, noun }: ListCountProps) {
  const all = `${total.toLocaleString()}${isTotalCapped ? "+" : ""}`;
  const plural = total === 1 ? noun : `${noun}s`;
  return (
    <span class="numeric">
      {shown < total ? `${shown.toLocaleString()} of ${all} ${plural}` : `${all} ${plural}`}
    </span>
  );
}
