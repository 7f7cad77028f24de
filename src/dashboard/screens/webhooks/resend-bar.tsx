import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import bulkBarCss from "../../components/bulk-bar.module.css";
import { Button } from "../../components/button.tsx";
import { Progress } from "../../components/progress.tsx";
import { showToast } from "../../components/toast-list.ts";
import { type BulkProgress, runBulk } from "../../data/bulk-run.ts";
import { asFault } from "../../data/calls.ts";
import { getPauseMs, pause } from "../../data/limit-pause.ts";
import { type Delivery, resendDelivery } from "./delivery-store.ts";

const PARALLEL = 3;

interface ResendBarProps {
  webhookId: string;
  deliveries: readonly Delivery[];
  onDone: () => void;
}

/** Bar that resends deliveries one by one, with progress. It waits when the rate limit is reached. */
export function ResendBar({ webhookId, deliveries, onDone }: ResendBarProps) {
  const [work, setWork] = useState<BulkProgress | null>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const resend = async () => {
    setWork({ done: 0, failed: 0, total: deliveries.length });
    const { done, failed, fault } = await runBulk({
      items: deliveries,
      groupSize: 1,
      parallel: PARALLEL,
      work: async (group) => {
        for (const { id } of group) await resendDelivery(webhookId, id);
      },
      getPauseMs: getResendPauseMs,
      pause,
      onProgress: setWork,
      signal: abort.current.signal,
    });
    const count = `${formatCount(done, "delivery", "deliveries")} resent`;
    showToast(
      failed === 0 ? count : `${count}. ${failed.toLocaleString("en-GB")} failed: ${asFault(fault).message}`,
    );
    onDone();
  };
  return (
    <section class={bulkBarCss.bar} data-ui="bulk-bar" aria-label="Selected deliveries">
      {work === null ? (
        <>
          <span class={`numeric ${bulkBarCss.count}`} role="status">
            {deliveries.length.toLocaleString("en-GB")} selected
          </span>
          <Button size="s" icon="send" onClick={() => void resend()}>
            Resend
          </Button>
          <Button kind="plain" size="s" icon="close" aria-label="Clear selection" onClick={onDone} />
        </>
      ) : (
        <>
          <span class={`numeric ${bulkBarCss.count}`}>
            Sending {work.done.toLocaleString("en-GB")} of {work.total.toLocaleString("en-GB")}
          </span>
          <Progress label="Resending" done={work.done + work.failed} total={work.total} />
          <Button size="s" onClick={() => abort.current.abort()}>
            Stop
          </Button>
        </>
      )}
    </section>
  );
}

/**
 * Returns the pause after a rate limit, or null to give up. A full delivery queue isn't waited for, because
 * it takes too long to empty.
 */
function getResendPauseMs(fault: unknown, tries: number): number | null {
  return asFault(fault).code === "DELIVERY_BACKLOG" ? null : getPauseMs(fault, tries);
}
