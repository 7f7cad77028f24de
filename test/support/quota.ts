import { runInDurableObject } from "cloudflare:test";
import type { WorkspaceLimiter } from "../../src/limits/limiter.ts";
import { workerEnv } from "./harness.ts";

/** Counts calls of a workspace until so many of the month are left. */
export async function spendQuota(workspaceId: string, callsPerMonth: number, left: number): Promise<void> {
  const limiter = workerEnv.LIMITER.getByName(workspaceId);
  const call = { bucket: "spending", burstPerSecond: 1_000_000, callsPerMonth };
  // Within the object, because a message for each call would take seconds.
  await runInDurableObject(limiter, (object: WorkspaceLimiter) => {
    for (let n = left; n < callsPerMonth; n++) object.take({ ...call, callId: crypto.randomUUID() });
  });
}
