import { runInDurableObject } from "cloudflare:test";
import type { WorkspaceLimiter } from "../../src/limits/limiter.ts";
import { workerEnv } from "./harness.ts";

/** Counts calls of a workspace until the given number of calls is left for the month. */
export async function spendQuota(workspaceId: string, callsPerMonth: number, left: number): Promise<void> {
  const limiter = workerEnv.LIMITER.getByName(workspaceId);
  const call = { bucket: "spending", burstPerSecond: 1_000_000, callsPerMonth };
  // Runs within the object, because a message for each call would take seconds.
  await runInDurableObject(limiter, (object: WorkspaceLimiter) => {
    for (let n = left; n < callsPerMonth; n++) object.take({ ...call, callId: crypto.randomUUID() });
  });
}
