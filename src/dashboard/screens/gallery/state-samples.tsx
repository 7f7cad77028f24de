import { Button } from "../../components/button.tsx";
import { LazyPart } from "../../components/lazy-part.tsx";
import { ListCount } from "../../components/list-foot.tsx";
import { Moment } from "../../components/moment.tsx";
import { Progress } from "../../components/progress.tsx";
import { EmptyState, FaultNotice, Notice } from "../../components/states.tsx";
import { CallError, createOfflineFault } from "../../data/call-error.ts";
import { Sample } from "./sample.tsx";

const LIMITED = new CallError({
  kind: "limited",
  code: "BURST_LIMIT_EXCEEDED",
  message: "Too many requests.",
  retryAfterS: 9,
});
const BROKEN = new CallError({
  kind: "server",
  code: "INTERNAL_ERROR",
  message: "The request failed. Try again in a moment.",
  requestId: "01930000-0000-7000-8000-000000000000",
});
const HOUR_MS = 3_600_000;
/** Loaders of a lazy part: the first never finishes, the second fails. */
const loadForEver = () => new Promise<{ default: () => null }>(() => {});
const loadInVain = () => Promise.reject(LIMITED);
const nothing = () => {};

/** States that a screen shows above or instead of its content, such as errors and empty states. */
export function StateSamples() {
  return (
    <Sample title="States">
      <Notice>A notice stays until its cause is resolved.</Notice>
      <FaultNotice fault={createOfflineFault()} onRetry={nothing} />
      <FaultNotice fault={LIMITED} onRetry={nothing} />
      <FaultNotice fault={BROKEN} onRetry={nothing} />
      <Progress label="Sample" done={320} total={900} />
      <p class="small">
        <ListCount shown={50} total={1_204} noun="link" />
      </p>
      <p class="row wrap small">
        <Moment iso={new Date(Date.now() - 3 * HOUR_MS).toISOString()} />
        <Moment iso={new Date(Date.now() + 3 * HOUR_MS).toISOString()} />
        <Moment iso={new Date(Date.now() - 3 * HOUR_MS).toISOString()} isExact />
      </p>
      <LazyPart load={loadForEver} properties={{}} />
      <LazyPart load={loadInVain} properties={{}} />
      <EmptyState
        title="Create your first link"
        actions={
          <Button kind="primary" icon="plus">
            Create link
          </Button>
        }
      >
        An empty state explains what will appear here and offers the first step.
      </EmptyState>
    </Sample>
  );
}
