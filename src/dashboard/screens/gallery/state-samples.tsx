import { Button } from "../../components/button.tsx";
import { ListCount, Progress } from "../../components/progress.tsx";
import { EmptyState, FaultNotice, Notice } from "../../components/states.tsx";
import { ApiFault, createOfflineFault } from "../../data/api-fault.ts";
import { Sample } from "./sample.tsx";

const LIMITED = new ApiFault({
  kind: "limited",
  code: "BURST_LIMIT_EXCEEDED",
  message: "Too many requests at once.",
  retryAfterS: 9,
});
const BROKEN = new ApiFault({
  kind: "server",
  code: "INTERNAL_ERROR",
  message: "The service could not do that. Try again in a moment.",
  requestId: "01930000-0000-7000-8000-000000000000",
});
const nothing = () => {};

/** What a screen shows instead of its content, or above it. */
export function StateSamples() {
  return (
    <Sample title="States">
      <Notice>A notice stays as long as its reason.</Notice>
      <FaultNotice fault={createOfflineFault()} onRetry={nothing} />
      <FaultNotice fault={LIMITED} onRetry={nothing} />
      <FaultNotice fault={BROKEN} onRetry={nothing} />
      <Progress label="Sample" done={320} total={900} />
      <p class="small">
        <ListCount shown={50} total={1_204} isTotalCapped={false} noun="link" />
      </p>
      <EmptyState
        title="Your first link"
        actions={
          <Button kind="primary" icon="plus">
            Create link
          </Button>
        }
      >
        An empty state says what will be here, and offers the first step.
      </EmptyState>
    </Sample>
  );
}
