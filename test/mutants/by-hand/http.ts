import { type Mutant, mutate } from "../by-hand.ts";

const IDEMPOTENCY = "test/worker/idempotency.test.ts";
const HTTP_MIDDLEWARE = "test/unit/http-middleware.test.ts";
const JSON_BODY = "test/unit/json-body.test.ts";
const VALIDATION = "test/unit/validation.test.ts";
const RATE_LIMIT = "test/unit/rate-limit.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/http/idempotency-keys.ts",
    IDEMPOTENCY,
    ["          isNull(table.status),\n", ""],
    ["          eq(table.requestHash, requestHash),\n", ""],
    ["set: { requestId, heldUntil },", "set: { requestId, heldUntil, firstRequestId: requestId },"],
    ["{ heldUntil: 0 }", "{ heldUntil: claim.createdAt + 2 }"],
    [", not(isLockedByMove(table.workspaceId))", ""],
  ),
  ...mutate(
    "src/http/idempotency.ts",
    IDEMPOTENCY,
    ["requestId: firstRequestId, isRetry", "requestId: claim.requestId, isRetry"],
    ["if (successor === null) return;", "return;"],
    ["isOvertaken ? OVERTAKEN_MESSAGE", "!isOvertaken ? OVERTAKEN_MESSAGE"],
    ['encodeURIComponent(parameters[name] ?? "")', "name"],
  ),
  ...mutate(
    "src/http/json-body.ts",
    [HTTP_MIDDLEWARE, JSON_BODY],
    ['if (text.trim() !== "") require', "require"],
    ["if (!isJsonObject(value))", "if (false)"],
    ['!text.includes("\\0")', "true"],
    ['if (text === "") writeBodyText', 'if (text.trim() === "") writeBodyText'],
    ['if (key === "__proto__")', 'if (key === "prototype")'],
  ),
  ...mutate(
    "src/http/error-handler.ts",
    HTTP_MIDDLEWARE,
    ["if (apiError.status >= 500) logFailure", "if (apiError.status >= 400) logFailure"],
    ["    apiError.headers,", ""],
    ["c.var.errorNames?.[apiError.code]", "undefined"],
  ),
  ...mutate("src/http/error-handler.ts", "test/worker/auth.test.ts", [
    "if (apiError.status === 401) {",
    "if (false) {",
  ]),
  ...mutate("src/core/bearer-challenge.ts", "test/worker/auth.test.ts", [
    '/^bearer\\b/i.test(authorization ?? "")',
    "true",
  ]),
  ...mutate(
    "src/http/repetition.ts",
    HTTP_MIDDLEWARE,
    ["c.var.origin?.requestId ?? c.var.requestId", "c.var.requestId"],
    ["repeatOnce(runOrRetry, isLostWrite)", "repeatOnce(runOrRetry, () => true)"],
  ),
  ...mutate("src/http/validation.ts", VALIDATION, ['else if (part === "") field += \'[""]\';', ""]),
  ...mutate(
    "src/auth/rate-limit.ts",
    RATE_LIMIT,
    ["Math.ceil((allowance.resetMs", "Math.floor((allowance.resetMs"],
    ["Math.ceil((allowance.resetMs", "Math.round((allowance.resetMs"],
  ),
];
