import { createMiddleware } from "hono/factory";
import { ApiError } from "../core/error.ts";
import { generateUuidv7 } from "../core/id.ts";
import { SECOND_MS } from "../core/time.ts";
import type { ApiContext, ApiEnv } from "../http/context.ts";
import {
  type Allowance,
  buildAllowance,
  buildPersonAllowance,
  formatRateLimitHeaders,
  PERSON_BURST_PER_SECOND,
} from "../limits/allowance.ts";
import { CountedCall } from "../limits/counted-call.ts";
import type { PersonCall } from "../limits/person-call.ts";
import { PLANS, type Plan } from "../tenant/plans.ts";

const BURST_RETRY_AFTER_SECONDS = 1;

/**
 * Enforces rate limits. For people, checks only their own token bucket, because their calls have no quota and
 * work on every plan. For keys, checks in this order that the plan includes the API, that the key's bucket
 * has a token, and that the workspace's monthly quota isn't used up. Sets the rate limit headers on all later
 * responses, including errors. Throws `FEATURE_NOT_AVAILABLE`, `BURST_LIMIT_EXCEEDED` or
 * `RATE_LIMIT_EXCEEDED`.
 */
export const enforceRateLimit = createMiddleware<ApiEnv>(async (c, next) => {
  const { personCall } = c.var;
  await (personCall === undefined ? limitKey(c) : limitPerson(c, personCall));
  await next();
});

/**
 * Counts a message of the Model Context Protocol as a call. A request can have several. `countedCall` is then
 * the last one, so that the operation that a message calls isn't counted again. Throws the errors of
 * {@link enforceRateLimit}.
 */
export async function countMessage(c: ApiContext): Promise<void> {
  const early = c.var.allowance === undefined ? c.var.countedCall : undefined;
  c.set("countedCall", early ?? countCall(c, generateUuidv7(c.var.nowMs)));
  await limitKey(c);
}

async function limitPerson(c: ApiContext, call: PersonCall): Promise<void> {
  const verdict = await call.verdict;
  setAllowance(c, buildPersonAllowance(verdict, c.var.nowMs));
  if (verdict.verdict !== "allowed") {
    throw createBurstError(`You have reached the limit of ${PERSON_BURST_PER_SECOND} calls per second.`);
  }
}

async function limitKey(c: ApiContext): Promise<void> {
  const { plan: planName } = c.var.workspace;
  const plan: Plan = PLANS[planName];
  const hasApi = plan.apiCallsPerMonth > 0;
  const verdict = await (c.var.countedCall ?? countCall(c, c.var.requestId)).verdict;
  const allowance = buildAllowance(planName, verdict, c.var.nowMs);
  setAllowance(c, allowance);
  if (!hasApi) {
    throw new ApiError(
      "FEATURE_NOT_AVAILABLE",
      `The ${planName} plan does not include the API. It requires the pro plan or higher.`,
    );
  }
  if (verdict.verdict === "burst_exhausted") {
    throw createBurstError(`This key is limited to ${plan.burstPerSecond} calls per second.`);
  }
  if (verdict.verdict === "quota_exhausted") {
    const waitSeconds = Math.ceil((allowance.resetMs - c.var.nowMs) / SECOND_MS);
    throw new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `The workspace has used all ${plan.apiCallsPerMonth} API calls for this month.`,
      {
        headers: { "Retry-After": String(waitSeconds) },
      },
    );
  }
}

function setAllowance(c: ApiContext, allowance: Allowance): void {
  c.set("allowance", allowance);
  for (const [name, value] of Object.entries(formatRateLimitHeaders(allowance))) c.header(name, value);
}

function createBurstError(message: string): ApiError {
  return new ApiError("BURST_LIMIT_EXCEEDED", message, {
    headers: { "Retry-After": String(BURST_RETRY_AFTER_SECONDS) },
  });
}

function countCall(c: ApiContext, callId: string): CountedCall {
  const { caller, workspace } = c.var;
  const counted = { workspaceId: workspace.id, plan: workspace.plan, bucket: caller.bucket };
  return new CountedCall(c.env.LIMITER, counted, callId);
}
