import { createMiddleware } from "hono/factory";
import { ApiError } from "../core/error.ts";
import { SECOND_MS } from "../core/time.ts";
import { allowanceAfter, rateLimitHeaders } from "../limits/allowance.ts";
import type { CallVerdict } from "../limits/limiter.ts";
import { PLANS, type Plan } from "../tenant/plans.ts";
import type { ApiEnv } from "./context.ts";

const BURST_RETRY_AFTER_SECONDS = 1;
const NO_API: CallVerdict = { verdict: "allowed", burstRemaining: 0, callsThisMonth: 0 };

/**
 * Lets a call through if the plan has the API, the key's bucket a token and the workspace quota left, in this
 * order (decisions section 1). Every answer behind it, errors included, carries the rate limit headers.
 */
export const rateLimit = createMiddleware<ApiEnv>(async (c, next) => {
  const { id, plan: planName } = c.var.workspace;
  const plan: Plan = PLANS[planName];
  const hasApi = plan.apiCallsPerMonth > 0;
  const verdict = hasApi
    ? await c.env.LIMITER.getByName(id).take({
        keyPrefix: c.var.key.prefix,
        burstPerSecond: plan.burstPerSecond,
        callsPerMonth: plan.apiCallsPerMonth,
      })
    : NO_API;
  const allowance = allowanceAfter(planName, verdict, c.var.nowMs);
  c.set("allowance", allowance);
  for (const [name, value] of Object.entries(rateLimitHeaders(allowance))) c.header(name, value);

  if (!hasApi) {
    throw new ApiError(
      "FEATURE_NOT_AVAILABLE",
      `The ${planName} plan has no API; it needs the pro plan or above.`,
    );
  }
  if (verdict.verdict === "burst_exhausted") {
    throw new ApiError(
      "BURST_LIMIT_EXCEEDED",
      `More than ${plan.burstPerSecond} calls a second with this key.`,
      {
        headers: { "Retry-After": String(BURST_RETRY_AFTER_SECONDS) },
      },
    );
  }
  if (verdict.verdict === "quota_exhausted") {
    const waitSeconds = Math.ceil((allowance.resetMs - c.var.nowMs) / SECOND_MS);
    throw new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `The ${plan.apiCallsPerMonth} calls of this month are used up.`,
      {
        headers: { "Retry-After": String(waitSeconds) },
      },
    );
  }
  await next();
});
