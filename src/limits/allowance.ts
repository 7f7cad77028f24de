import { nextBillingCycleMs, SECOND_MS, toIso } from "../core/time.ts";
import { PLANS, type Plan, type PlanName } from "../tenant/plans.ts";
import type { CallVerdict } from "./limiter.ts";

/** What a workspace and a key have left after a call. */
export interface Allowance {
  /** Monthly quota of the plan. */
  limit: number;
  remaining: number;
  /** Start of the next billing cycle. */
  resetMs: number;
  burstLimit: number;
  burstRemaining: number;
  /** Calls of this billing cycle, this one included. */
  callsThisMonth: number;
}

/** `meta.rate_limit` in either of its shapes (contract section 2.1). */
export type RateLimitMeta =
  | { limit: number; remaining: number; reset: number }
  | { remaining: number; reset_at: string };

/** Which of the two shapes an operation answers with. */
export type RateLimitShape = "A" | "B";

/** The allowance that the limiter's verdict leaves, under the workspace's plan. */
export function allowanceAfter(planName: PlanName, verdict: CallVerdict, nowMs: number): Allowance {
  const plan: Plan = PLANS[planName];
  return {
    limit: plan.apiCallsPerMonth,
    remaining: Math.max(0, plan.apiCallsPerMonth - verdict.callsThisMonth),
    resetMs: nextBillingCycleMs(nowMs),
    burstLimit: plan.burstPerSecond,
    burstRemaining: verdict.burstRemaining,
    callsThisMonth: verdict.callsThisMonth,
  };
}

export function rateLimitMeta(allowance: Allowance, shape: RateLimitShape): RateLimitMeta {
  const { limit, remaining, resetMs } = allowance;
  return shape === "A"
    ? { limit, remaining, reset: resetMs / SECOND_MS }
    : { remaining, reset_at: toIso(resetMs) };
}

/** The rate limit headers of contract section 8. */
export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(allowance.limit),
    "X-RateLimit-Remaining": String(allowance.remaining),
    "X-RateLimit-Reset": String(allowance.resetMs / SECOND_MS),
    "X-RateLimit-Burst-Limit": String(allowance.burstLimit),
    "X-RateLimit-Burst-Remaining": String(allowance.burstRemaining),
  };
}
