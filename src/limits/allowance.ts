import { getNextBillingCycleMs, SECOND_MS, toIso } from "../core/time.ts";
import { PLANS, type Plan, type PlanName } from "../tenant/plans.ts";
import type { CallVerdict } from "./limiter.ts";

/** Remaining calls after a call, for an API key or a person. */
export interface Allowance {
  /** Monthly quota of the plan. For people, who have no quota, the calls per second. */
  limit: number;
  /** Number of calls left until {@link Allowance.resetMs}. */
  remaining: number;
  /**
   * Unix milliseconds. For keys, the start of the next billing cycle. For people, the second in which the
   * bucket is full again.
   */
  resetMs: number;
  /** Capacity of the token bucket. */
  burstLimit: number;
  burstRemaining: number;
  /** Number of calls in this billing cycle, including this call. */
  callsThisMonth: number;
}

/** Value of `meta.rate_limit`, in shape A or B. */
export type RateLimitMeta =
  | { limit: number; remaining: number; reset: number }
  | { remaining: number; reset_at: string };

/**
 * Shape of `meta.rate_limit` in an operation's responses: A has `limit`, `remaining` and `reset` in Unix
 * seconds, B has `remaining` and `reset_at` in ISO 8601.
 */
export type RateLimitShape = "A" | "B";

/** Builds a key's allowance from the workspace's plan and the limiter's verdict. */
export function buildAllowance(planName: PlanName, verdict: CallVerdict, nowMs: number): Allowance {
  const plan: Plan = PLANS[planName];
  return {
    limit: plan.apiCallsPerMonth,
    remaining: Math.max(0, plan.apiCallsPerMonth - verdict.callsThisMonth),
    resetMs: getNextBillingCycleMs(nowMs),
    burstLimit: plan.burstPerSecond,
    burstRemaining: verdict.burstRemaining,
    callsThisMonth: verdict.callsThisMonth,
  };
}

/** Maximum number of calls per second by one person, also the capacity of the person's token bucket. */
export const PERSON_BURST_PER_SECOND = 20;

/** Builds a person's allowance from the limiter's verdict. People have no quota. */
export function buildPersonAllowance(verdict: CallVerdict, nowMs: number): Allowance {
  return {
    limit: PERSON_BURST_PER_SECOND,
    remaining: verdict.burstRemaining,
    resetMs: Math.ceil((nowMs + SECOND_MS) / SECOND_MS) * SECOND_MS,
    burstLimit: PERSON_BURST_PER_SECOND,
    burstRemaining: verdict.burstRemaining,
    callsThisMonth: verdict.callsThisMonth,
  };
}

export function formatRateLimitMeta(allowance: Allowance, shape: RateLimitShape): RateLimitMeta {
  const { limit, remaining, resetMs } = allowance;
  return shape === "A"
    ? { limit, remaining, reset: resetMs / SECOND_MS }
    : { remaining, reset_at: toIso(resetMs) };
}

/** Formats an allowance as `X-RateLimit-*` response headers. */
export function formatRateLimitHeaders(allowance: Allowance): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(allowance.limit),
    "X-RateLimit-Remaining": String(allowance.remaining),
    "X-RateLimit-Reset": String(allowance.resetMs / SECOND_MS),
    "X-RateLimit-Burst-Limit": String(allowance.burstLimit),
    "X-RateLimit-Burst-Remaining": String(allowance.burstRemaining),
  };
}
