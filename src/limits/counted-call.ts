import { logError } from "../core/log.ts";
import { repeatOnce } from "../db/retry.ts";
import { PLANS, type Plan, type PlanName } from "../tenant/plans.ts";
import type { CallRequest, CallVerdict, WorkspaceLimiter } from "./limiter.ts";

/** Key that makes a call, with its workspace. */
export interface CallingKey {
  workspaceId: string;
  plan: PlanName;
  bucket: string;
}

/** Verdict for plans without API access. Their calls aren't counted. */
const NO_API: CallVerdict = { verdict: "allowed", burstRemaining: 0, callsThisMonth: 0, cycle: "" };

/** API call that is sent to the limiter as soon as the object is created. */
export class CountedCall {
  /** Rejects if the limiter fails. */
  readonly verdict: Promise<CallVerdict>;
  readonly #limiters: DurableObjectNamespace<WorkspaceLimiter>;
  readonly #key: CallingKey;
  readonly #request: CallRequest;

  /**
   * `callId` must be a UUID that no other call has, because the id of a call that was given back is never
   * counted again.
   */
  constructor(limiters: DurableObjectNamespace<WorkspaceLimiter>, key: CallingKey, callId: string) {
    const plan: Plan = PLANS[key.plan];
    this.#limiters = limiters;
    this.#key = key;
    this.#request = {
      callId,
      bucket: key.bucket,
      burstPerSecond: plan.burstPerSecond,
      callsPerMonth: plan.apiCallsPerMonth,
    };
    this.verdict = this.#take();
    // Prevents an unhandled rejection. A caller without access never awaits the verdict.
    this.verdict.catch(() => {});
  }

  /** Returns true if the call was counted for this workspace on this plan. */
  isOf({ id, plan }: { id: string; plan: PlanName }): boolean {
    return id === this.#key.workspaceId && plan === this.#key.plan;
  }

  /** Reverts the counting of the call. Logs failures. Never throws. */
  async giveBack(): Promise<void> {
    if (this.#request.callsPerMonth === 0) return;
    try {
      // If the call failed, only its response may have been lost, so the limiter must check whether the call
      // was counted.
      const verdict = await this.verdict.catch(() => null);
      if (verdict !== null && verdict.verdict !== "allowed") return;
      const cycle = verdict?.cycle ?? null;
      await repeatOnce(() => this.#limiter.giveBack(this.#request, cycle));
    } catch (error) {
      logError("a call that was counted too early could not be subtracted", error);
    }
  }

  get #limiter(): DurableObjectStub<WorkspaceLimiter> {
    return this.#limiters.getByName(this.#key.workspaceId);
  }

  async #take(): Promise<CallVerdict> {
    if (this.#request.callsPerMonth === 0) return NO_API;
    return repeatOnce(() => this.#limiter.take(this.#request));
  }
}
