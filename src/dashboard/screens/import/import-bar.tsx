import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { Button } from "../../components/button.tsx";
import { Progress } from "../../components/progress.tsx";
import css from "./import-bar.module.css";
import { importWork } from "./import-store.ts";
import { startImport, stopImport } from "./run-file.ts";

interface ImportBarProps {
  /** Number of links to create. */
  count: number;
  /** Reason why the import can't start, or an empty string. */
  obstacle: string;
  isFurther: boolean;
}

/** Bar with the button that starts the import. While the import runs, it shows progress and a stop button. */
export function ImportBar({ count, obstacle, isFurther }: ImportBarProps) {
  const work = importWork.value;
  const bar = useRef<HTMLElement>(null);
  const isRunning = work?.kind === "running";
  // The start button was replaced by the stop button, so the focus moves there.
  useEffect(() => {
    if (isRunning) bar.current?.querySelector("button")?.focus();
  }, [isRunning]);
  if (isRunning) {
    const { done, total, isStopping } = work;
    return (
      <section ref={bar} class={css.bar} data-ui="bulk-bar" aria-label="Import">
        <span class={`numeric ${css.count}`}>
          {done.toLocaleString("en-GB")} of {formatCount(total, "link")}
        </span>
        <Progress label="Import" done={done} total={total} />
        <Button size="s" isBusy={isStopping} onClick={stopImport}>
          {isStopping ? "Stopping…" : "Stop"}
        </Button>
      </section>
    );
  }
  return (
    <section class={css.bar} data-ui="bulk-bar" aria-label="Import">
      {obstacle !== "" && <span>{obstacle}</span>}
      {count > 0 && (
        <Button
          kind="primary"
          isDisabled={obstacle !== "" || work !== null}
          onClick={() => void startImport()}
        >
          {isFurther ? "Import remaining" : "Import"} {formatCount(count, "link")}
        </Button>
      )}
    </section>
  );
}
