import { useEffect, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { formatDuration } from "../../components/format-moment.ts";
import statesCss from "../../components/states.module.css";
import { FaultNotice, Notice } from "../../components/states.tsx";
import { type DeliveryDetail, readDelivery, sendTest } from "./delivery-store.ts";

const POLL_MS = 500;
/** Maximum wait for the first attempt. It is longer than the timeout of an attempt. */
const DEADLINE_MS = 20_000;

interface TestRunProps {
  webhookId: string;
  /** Called when the test is sent, and when its first attempt is finished. */
  onChange: () => void;
  onClose: () => void;
  onAgain: () => void;
}

/** Sends a test event, and shows the endpoint's response once the first attempt is finished. */
export function TestRun({ webhookId, onChange, onClose, onAgain }: TestRunProps) {
  const [delivery, setDelivery] = useState<DeliveryDetail | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    runTest(webhookId, () => isCurrent, onChange)
      .then(
        (result) => {
          if (!isCurrent) return;
          setDelivery(result);
          setLate(result === null);
        },
        (thrown) => isCurrent && setFault(thrown),
      )
      .finally(() => isCurrent && onChange());
    return () => {
      isCurrent = false;
    };
  }, []);
  if (fault !== null) return <FaultNotice fault={fault} onRetry={onAgain} />;
  return (
    <div role="status">
      {delivery === null ? (
        <Notice>
          {isLate
            ? "The first attempt is taking longer than usual. It will appear below."
            : "Sending test event…"}
        </Notice>
      ) : (
        <Result delivery={delivery} onClose={onClose} onAgain={onAgain} />
      )}
    </div>
  );
}

interface ResultProps {
  delivery: DeliveryDetail;
  onClose: () => void;
  onAgain: () => void;
}

function Result({ delivery, onClose, onAgain }: ResultProps) {
  const attempt = delivery.attempts_log.at(-1);
  const isGood = delivery.status === "delivered";
  const answer =
    attempt?.response_status == null
      ? (attempt?.error ?? "no response")
      : `status ${attempt.response_status} in ${formatDuration(attempt.latency_ms)}`;
  const buttons = (
    <span class="row wrap">
      <Button size="s" onClick={() => setQuery({ delivery: delivery.id }, { push: true })}>
        Details
      </Button>
      <Button size="s" onClick={onAgain}>
        Test again
      </Button>
      <Button kind="plain" size="s" icon="close" aria-label="Dismiss result" onClick={onClose} />
    </span>
  );
  return (
    <div class={statesCss.notice} data-ui="notice" data-tone={isGood ? "good" : "warn"}>
      <div>
        <p>
          <b>{isGood ? "Test delivered" : "Test failed"}</b>: {answer}.
        </p>
        {!isGood && delivery.status === "retrying" && (
          <p>Signpost retries after 5 seconds, then at increasing intervals for about 2 hours 35 minutes.</p>
        )}
      </div>
      {buttons}
    </div>
  );
}

/** Sends a test and waits for its first attempt. Returns null if that takes too long. */
async function runTest(
  webhookId: string,
  isWanted: () => boolean,
  onSent: () => void,
): Promise<DeliveryDetail | null> {
  const endMs = Date.now() + DEADLINE_MS;
  const { id } = await sendTest(webhookId);
  onSent();
  while (isWanted() && Date.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const delivery = await readDelivery(webhookId, id);
    if (delivery.attempts_log.length > 0) return delivery;
  }
  return null;
}
