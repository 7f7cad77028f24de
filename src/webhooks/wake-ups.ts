import { logError } from "../core/log.ts";
import type { WakeUp, WakeUpMessage } from "./delivery-state.ts";

/** Maximum number of messages in one `sendBatch`. */
const SEND_MAX = 100;

/**
 * Sends wake-ups to the delivery queue. The consumer then attempts the due deliveries of each lane.
 * `delaySeconds` must be a whole number, at most 12 hours; local and deployed queues both honour it. Never
 * throws: the sweep wakes lanes whose message was lost.
 */
export async function sendWakeUps(
  queue: Queue,
  shard: number,
  wakeUps: readonly WakeUp[],
  delaySeconds = 0,
): Promise<void> {
  try {
    for (let start = 0; start < wakeUps.length; start += SEND_MAX) {
      const step = wakeUps.slice(start, start + SEND_MAX);
      await queue.sendBatch(
        step.map((wakeUp): { body: WakeUpMessage } => ({ body: { ...wakeUp, shard } })),
        { delaySeconds },
      );
    }
  } catch (error) {
    logError(`sending ${wakeUps.length} wake-ups to the queue failed; the sweep will find the lanes`, error);
  }
}
