import { createMiddleware } from "hono/factory";
import { ApiError } from "../core/error.ts";
import { SECOND_MS } from "../core/time.ts";
import { buildAllowance, formatRateLimitHeaders } from "../limits/allowance.ts";
import { CountedCall } from "../limits/counted-call.ts";
import { PLANS, type Plan } from "../tenant/plans.ts";
import type { ApiContext, ApiEnv } from "./context.ts";

const BURST_RETRY_AFTER_SECONDS = 1;

/**
 * Checks, in this order, that the plan includes API access, that the bucket of the key has a token, and that the
 * monthly quota of the workspace is not used up. Sets the rate limit headers on every later response, errors included.
 * Throws `FEATURE_NOT_AVAILABLE`, `BURST_LIMIT_EXCEEDED` or `RATE_LIMIT_EXCEEDED`.
 */
export const enforceRateLimit = createMiddleware<ApiEnv>(async (c, next) => {
  const { plan: planName } = c.var.workspace;
  const plan: Plan = PLANS[planName];
  const hasApi = plan.apiCallsPerMonth > 0;
  const verdict = await (c.var.countedCall ?? countCall(c)).verdict;
  const allowance = buildAllowance(planName, verdict, c.var.nowMs);
  c.set("allowance", allowance);
  for (const [name, value] of Object.entries(formatRateLimitHeaders(allowance))) c.header(name, value);

  if (!hasApi) {
    throw new ApiError(
      "FEATURE_NOT_AVAILABLE",
      `The ${planName} plan does not include the API. It requires the pro plan or above.`,
    );
  }
  if (verdict.verdict === "burst_exhausted") {
    throw new ApiError(
      "BURST_LIMIT_EXCEEDED",
      `This key is limited to ${plan.burstPerSecond} calls per second.`,
      {
        headers: { "Retry-After": String(BURST_RETRY_AFTER_SECONDS) },
      },
    );
  }
  if (verdict.verdict === "quota_exhausted") {
    const waitSeconds = Math.ceil((allowance.resetMs - c.var.nowMs) / SECOND_MS);
    throw new ApiError(
      "RATE_LIMIT_EXCEEDED",
      `The workspace has used its ${plan.apiCallsPerMonth} calls of this month.`,
      {
        headers: { "Retry-After": String(waitSeconds) },
      },
    );
  }
  await next();
});

function countCall(c: ApiContext): CountedCall {
  const { caller, workspace, requestId } = c.var;
  const counted = { workspaceId: workspace.id, plan: workspace.plan, keyPrefix: caller.bucket };
  return new CountedCall(c.env.LIMITER, counted, requestId);
}
