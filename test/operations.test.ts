import { describe, expect, test } from "vitest";
import { routes } from "../src/api.ts";
import { SCOPES } from "../src/auth/key.ts";
import { call, errorOf, newWorkspace } from "./support/harness.ts";

/** What holds for every operation, whatever it does. */
const operations = routes.map(({ operation }) => operation);

describe.each(operations.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  const method = operation.method.toUpperCase();
  const path = operation.path.replaceAll(/:\w+/g, crypto.randomUUID());

  test("needs a key, a scope of its own, and takes no unknown query parameter", async () => {
    await errorOf(await call(null, method, path), 401, "INVALID_API_KEY");

    const workspace = await newWorkspace();
    const scopes = SCOPES.filter((scope) => scope !== operation.scope);
    const others = workspace.as(await workspace.newKey({ scopes }));
    const refused = await others.call(method, path, { body: operation.body && {} });
    const error = await errorOf(refused, 403, "INSUFFICIENT_SCOPE");
    expect(error.message).toContain(operation.scope);

    const stray = await workspace.call(method, `${path}?stray=1`, { body: operation.body && {} });
    expect(stray.status).toBe(400);
    // In the details: the message may speak of a required parameter first.
    const fault = { field: "stray", message: "is not a known field" };
    expect(await stray.json()).toMatchObject({ error: { details: expect.arrayContaining([fault]) } });
    expect(stray.headers.get("X-RateLimit-Remaining")).toBe("24998");
  });
});

test("operations have distinct ids, and distinct methods on a path", () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
});
