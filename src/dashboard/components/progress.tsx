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
