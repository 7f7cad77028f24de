import { getNextBillingCycleMs, SECOND_MS, toIso } from "../core/time.ts";
import { PLANS, type Plan, type PlanName } from "../tenant/plans.ts";
import type { CallVerdict } from "./limiter.ts";

/** Remaining calls of a workspace and a key, or of a person, after a call. */
export interface Allowance {
  /** Monthly quota of the plan; for a person, who uses none, the calls of a second. */
  limit: number;
  /** Number of calls left until {@link Allowance.resetMs}. */
  remaining: number;
  /** Start of the next billing cycle in Unix milliseconds; for a person, the second in which the bucket is full again. */
  resetMs: number;
  /** Maximum number of tokens in the bucket of the key. */
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
 * Shape of `meta.rate_limit` in the responses of an operation: A has `limit`, `remaining` and `reset` in Unix seconds,
 * B has `remaining` and `reset_at` in ISO 8601.
 */
export type RateLimitShape = "A" | "B";

/** Builds the allowance from the plan of the workspace and the verdict of the limiter. */
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

/** Calls of a person in a second, and the capacity of the person's token bucket. */
export const PERSON_BURST_PER_SECOND = 20;

/** Builds the allowance of a person, whose calls use no quota, from the verdict of the limiter. */
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

/** Formats an allowance as `meta.rate_limit`. */
export function formatRateLimitMeta(allowance: Allowance, shape: RateLimitShape): RateLimitMeta {
  const { limit, remaining, resetMs } = allowance;
  return shape === "A"
    ? { limit, remaining, reset: resetMs / SECOND_MS }
    : { remaining, reset_at: toIso(resetMs) };
}

/** Formats an allowance as the `X-RateLimit-*` headers of a response. */
export function formatRateLimitHeaders(allowance: Allowance): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(allowance.limit),
    "X-RateLimit-Remaining": String(allowance.remaining),
    "X-RateLimit-Reset": String(allowance.resetMs / SECOND_MS),
    "X-RateLimit-Burst-Limit": String(allowance.burstLimit),
    "X-RateLimit-Burst-Remaining": String(allowance.burstRemaining),
  };
}
