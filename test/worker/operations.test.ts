import { describe, expect, test } from "vitest";
import { routes } from "../../src/api.ts";
import { SCOPES } from "../../src/auth/key.ts";
import { call, expectError, newWorkspace } from "../support/harness.ts";

/** What holds for every operation, whatever it does. */
const operations = routes.map(({ operation }) => operation);

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  const method = operation.method.toUpperCase();
  const path = operation.path.replaceAll(/:\w+/g, crypto.randomUUID());

  test("needs a key, a scope of its own, and takes no unknown query parameter", async () => {
    await expectError(await call(null, method, path), 401, "INVALID_API_KEY");

    const workspace = await newWorkspace();
    const scopes = SCOPES.filter((scope) => scope !== operation.scope);
    const others = workspace.as(await workspace.newKey({ scopes }));
    const refused = await others.call(method, path, { body: operation.body && {} });
    const error = await expectError(refused, 403, "INSUFFICIENT_SCOPE");
    expect(error.message).toContain(operation.scope);

    const alone = workspace.as(await workspace.newKey({ scopes: [operation.scope] }));
    expect((await alone.call(method, path, { body: operation.body && {} })).status).not.toBe(403);
    const none = workspace.as(await workspace.newKey({ scopes: [] }));
    await expectError(await none.call(method, path), 403, "INSUFFICIENT_SCOPE");

    const stray = await workspace.call(method, `${path}?stray=1`, { body: operation.body && {} });
    expect(stray.status).toBe(400);
    // In the details: the message may speak of a required parameter first.
    const fault = { field: "stray", message: "is not a known field" };
    expect(await stray.json()).toMatchObject({ error: { details: expect.arrayContaining([fault]) } });
    expect(stray.headers.get("X-RateLimit-Remaining")).toBe("24996");
  });
});

/** The scope of a method and path, by the table of the contract's section 5. */
function contractScope(method: string, path: string): string {
  if (/\/qr$|^\/v1\/qr\/generate$/.test(path)) return "qr:render";
  const [, area = ""] = path.match(/^\/v1\/(links|qr|analytics|assets|bio|workspace|webhooks)\b/) ?? [];
  return `${area}:${method === "get" ? "read" : "write"}`;
}

test.each(operations.map(({ id, method, path, scope }) => [id, contractScope(method, path), scope]))(
  "%s needs the scope that the contract says: %s",
  (_, expected, scope) => expect(scope).toBe(expected),
);

test("templates, bio pages and analytics answer shape B of the rate limit, all others shape A", () => {
  for (const { id, path, rateLimit } of operations) {
    expect([id, rateLimit]).toEqual([id, /^\/v1\/(?:qr\/templates|bio|analytics)\b/.test(path) ? "B" : "A"]);
  }
});

test("operations have distinct ids, and distinct methods on a path", () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});
