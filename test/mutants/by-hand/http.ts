import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/http/idempotency-keys.ts",
    "worker/idempotency",
    ["set: { requestId, heldUntil },", "set: { requestId, heldUntil, firstRequestId: requestId },"],
    ["{ heldUntil: 0 }", "{ heldUntil: claim.createdAt + 2 }"],
    [", not(isLockedByMove(table.workspaceId))", ""],
  ),
  ...mutate(
    "src/http/idempotency.ts",
    "worker/idempotency",
    ["requestId: firstRequestId, isRetry", "requestId: claim.requestId, isRetry"],
    ["isOvertaken ? OVERTAKEN_MESSAGE", "!isOvertaken ? OVERTAKEN_MESSAGE"],
    ['encodeURIComponent(parameters[name] ?? "")', "name"],
  ),
  ...mutate(
    "src/http/json-body.ts",
    ["unit/http-middleware", "unit/json-body"],
    ['!text.includes("\\0")', "true"],
    ['if (text === "") writeBodyText', 'if (text.trim() === "") writeBodyText'],
    ['if (key === "__proto__")', 'if (key === "prototype")'],
  ),
  ...mutate(
    "src/http/error-handler.ts",
    "unit/http-middleware",
    ["if (apiError.status >= 500) logFailure", "if (apiError.status >= 400) logFailure"],
    ["    apiError.headers,", ""],
    ["c.var.errorNames?.[apiError.code]", "undefined"],
  ),
  ...mutate("src/core/bearer-challenge.ts", "worker/auth", [
    '/^bearer\\b/i.test(authorization ?? "")',
    "true",
  ]),
  ...mutate(
    "src/http/repetition.ts",
    "unit/http-middleware",
    ["c.var.origin?.requestId ?? c.var.requestId", "c.var.requestId"],
    ["repeatOnce(runOrRetry, isLostWrite)", "repeatOnce(runOrRetry, () => true)"],
  ),
  ...mutate(
    "src/auth/rate-limit.ts",
    "unit/rate-limit",
    ["Math.ceil((allowance.resetMs", "Math.floor((allowance.resetMs"],
    ["Math.ceil((allowance.resetMs", "Math.round((allowance.resetMs"],
  ),
];
