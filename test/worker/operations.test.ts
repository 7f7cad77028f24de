import { describe, expect, test } from "vitest";
import { routes } from "../../src/api.ts";
import { isPersonScope, SCOPES, type Scope } from "../../src/permissions/scopes.ts";
import { call, expectError, newWorkspace } from "../support/harness.ts";

/** Requirements of every operation for keys. people-operations.test.ts tests the operations for people. */
const operations = routes
  .map(({ operation }) => operation)
  .flatMap(({ scope, ...operation }) =>
    isPersonScope(scope) ? [] : [{ ...operation, scope: scope as Scope }],
  );

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  const method = operation.method.toUpperCase();
  const path = operation.path.replaceAll(/:\w+/g, crypto.randomUUID());

  test("requires a key and its scope, and rejects unknown query parameters", async () => {
    await expectError(await call(null, method, path), 401, "INVALID_API_KEY");

    const workspace = await newWorkspace();
    const scopes = SCOPES.filter((scope) => scope !== operation.scope);
    const others = workspace.as(await workspace.newKey({ scopes }));
    const rejected = await others.call(method, path, { body: operation.body && {} });
    const error = await expectError(rejected, 403, "INSUFFICIENT_SCOPE");
    expect(error.message).toContain(operation.scope);

    const alone = workspace.as(await workspace.newKey({ scopes: [operation.scope] }));
    expect((await alone.call(method, path, { body: operation.body && {} })).status).not.toBe(403);
    const none = workspace.as(await workspace.newKey({ scopes: [] }));
    await expectError(await none.call(method, path), 403, "INSUFFICIENT_SCOPE");

    const stray = await workspace.call(method, `${path}?stray=1`, { body: operation.body && {} });
    expect(stray.status).toBe(400);
    // The details contain the error; the message can describe a missing required parameter instead.
    const fault = { field: "stray", message: "is not a known parameter" };
    expect(await stray.json()).toMatchObject({ error: { details: expect.arrayContaining([fault]) } });
    expect(stray.headers.get("X-RateLimit-Remaining")).toBe("24996");
  });
});

/**
 * Returns the scope that a method and path must require: the area of the path, with read for GET and write
 * otherwise.
 */
function getExpectedScope(method: string, path: string): string {
  // A query cannot contain the description of a visitor.
  if (/\/resolve$/.test(path)) return "links:read";
  if (/\/qr$|^\/v1\/qr\/generate$/.test(path)) return "qr:render";
  if (/\/analytics\//.test(path)) return "analytics:read";
  if (/\/domains\b/.test(path)) return method === "get" ? "workspace:read" : "domains:write";
  const [, area = ""] =
    path.match(/^\/v1\/(links|qr|analytics|reports|assets|bio|workspace|webhooks|audit)\b/) ?? [];
  return `${area}:${method === "get" ? "read" : "write"}`;
}

test.each(operations.map(({ id, method, path, scope }) => [id, getExpectedScope(method, path), scope]))(
  "%s requires the scope %s",
  (_, expected, scope) => expect(scope).toBe(expected),
);

test("QR templates, bio pages and analytics use shape B of meta.rate_limit, all others shape A", () => {
  for (const { id, path, rateLimit } of operations) {
    expect([id, rateLimit]).toEqual([id, /^\/v1\/(?:qr\/templates|bio|analytics)\b/.test(path) ? "B" : "A"]);
  }
});

test("operations have unique ids and unique pairs of method and path", () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});
