import { logError } from "../core/log.ts";
import { repeatOnce } from "../db/retry.ts";
import { PLANS, type Plan, type PlanName } from "../tenant/plans.ts";
import type { CallRequest, CallVerdict, WorkspaceLimiter } from "./limiter.ts";

/** Maker of a call. */
export interface Caller {
  workspaceId: string;
  plan: PlanName;
  keyPrefix: string;
}

/** Verdict for a plan without API access, which is not counted. */
const NO_API: CallVerdict = { verdict: "allowed", burstRemaining: 0, callsThisMonth: 0, cycle: "" };

/** Call of the API that the limiter is asked about as soon as it is created. */
export class CountedCall {
  /** Rejects if the limiter fails. */
  readonly verdict: Promise<CallVerdict>;
  readonly #limiters: DurableObjectNamespace<WorkspaceLimiter>;
  readonly #caller: Caller;
  readonly #request: CallRequest;

  /** `callId` is a UUID that no other call has: a call that was given back counts no more. */
  constructor(limiters: DurableObjectNamespace<WorkspaceLimiter>, caller: Caller, callId: string) {
    const plan: Plan = PLANS[caller.plan];
    this.#limiters = limiters;
    this.#caller = caller;
    this.#request = {
      callId,
      keyPrefix: caller.keyPrefix,
      burstPerSecond: plan.burstPerSecond,
      callsPerMonth: plan.apiCallsPerMonth,
    };
    this.verdict = this.#take();
    // A caller that turns out to have no access never looks at the verdict.
    this.verdict.catch(() => {});
  }

  /** Returns true if the call is counted as one of this workspace on this plan. */
  isOf({ id, plan }: { id: string; plan: PlanName }): boolean {
    return id === this.#caller.workspaceId && plan === this.#caller.plan;
  }

  /** Undoes the counting of the call. A fault is logged. Never throws. */
  async giveBack(): Promise<void> {
    if (this.#request.callsPerMonth === 0) return;
    try {
      // The response of a call that failed may only have been lost, so the limiter looks for it.
      const verdict = await this.verdict.catch(() => null);
      if (verdict !== null && verdict.verdict !== "allowed") return;
      const cycle = verdict?.cycle ?? null;
      await repeatOnce(() => this.#limiter.giveBack(this.#request, cycle));
    } catch (error) {
      logError("a call that was counted too early could not be given back", error);
    }
  }

  get #limiter(): DurableObjectStub<WorkspaceLimiter> {
    return this.#limiters.getByName(this.#caller.workspaceId);
  }

  async #take(): Promise<CallVerdict> {
    if (this.#request.callsPerMonth === 0) return NO_API;
    return repeatOnce(() => this.#limiter.take(this.#request));
  }
}
