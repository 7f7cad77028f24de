import { formatCount } from "../../../core/format-count.ts";
import { Badge } from "../../components/badge.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { formatDuration } from "../../components/format-moment.ts";
import { Icon } from "../../components/icon.tsx";
import { Moment } from "../../components/moment.tsx";
import css from "./attempt-list.module.css";
import type { DeliveryDetail } from "./delivery-store.ts";

type Attempt = DeliveryDetail["attempts_log"][number];

interface AttemptListProps {
  attempts: readonly Attempt[];
  /** Number of all attempts. The API only keeps the last ones. */
  total: number;
}

/** Attempts of a delivery, newest first, each with the endpoint's response. */
export function AttemptList({ attempts, total }: AttemptListProps) {
  if (attempts.length === 0) {
    return <p class="small muted">No attempts yet.</p>;
  }
  return (
    <>
      <ol class={css.attempts}>
        {[...attempts].reverse().map((attempt, index) => (
          <li key={attempt.attempted_at}>
            <Line attempt={attempt} isOpen={index === 0} />
          </li>
        ))}
      </ol>
      {attempts.length < total && (
        <p class="small muted">
          Showing the last {formatCount(attempts.length, "attempt")}. Older ones aren't kept.
        </p>
      )}
    </>
  );
}

function Line({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  const { attempted_at, response_status, latency_ms, error, response_body } = attempt;
  const isGood = response_status !== null && response_status >= 200 && response_status < 300;
  const head = (
    <>
      <Badge tone={isGood ? "good" : "danger"}>{response_status ?? "No response"}</Badge>
      <Moment iso={attempted_at} isExact />
      <span class="push muted numeric">{formatDuration(latency_ms)}</span>
    </>
  );
  const reason = error && <p class="small">{error.charAt(0).toUpperCase() + error.slice(1)}</p>;
  if (!response_body) {
    return (
      <>
        <div class={`row ${css.head}`}>{head}</div>
        {reason}
      </>
    );
  }
  return (
    <details open={isOpen}>
      <summary class={`row ${css.head}`}>
        <Icon name="chevron" size={14} />
        {head}
      </summary>
      {reason}
      <CodeBlock text={response_body} what="response body" isBounded />
    </details>
  );
}
