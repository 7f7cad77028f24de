import { expect, test } from "vitest";
import { call, countingEnv, createLink, expectError, newWorkspace, send } from "../support/harness.ts";

const UNKNOWN = `svc_pk_abcdefgh.${"x".repeat(64)}`;
const LINKS = "/v1/links";

const MISSING = "The API key is missing: send it as `Authorization: Bearer svc_pk_…`.";
const MISPLACED = "The API key is missing: send the key of `X-API-Key` as `Authorization: Bearer svc_pk_…`.";
const SHAPE = "a key is `svc_pk_`, 8 letters or digits, a dot, and 64 letters or digits";

test.each<[string, Record<string, string>, string]>([
  ["no header", {}, MISSING],
  ["X-API-Key", { "X-API-Key": UNKNOWN }, MISPLACED],
  ...[
    ["an empty header", "", "the header is empty"],
    ["the scheme alone", "Bearer ", "no key follows `Bearer`"],
    ["the key without a scheme", UNKNOWN, "add `Bearer ` before the key"],
    ["a doubled scheme", `Bearer Bearer ${UNKNOWN}`, "`Bearer` appears twice"],
    ["a doubled prefix", `Bearer svc_pk_${UNKNOWN}`, "`svc_pk_` appears twice"],
    ["a key in quotes", `Bearer "${UNKNOWN}"`, "remove the quotes"],
    ["another scheme", `Basic ${UNKNOWN}`, "the scheme must be `Bearer`"],
    ["two spaces", `Bearer  ${UNKNOWN}`, "use exactly one space after `Bearer`"],
    ["a short secret", `Bearer svc_pk_abcdefgh.${"x".repeat(63)}`, SHAPE],
    ["another alphabet", `Bearer svc_pk_abcdefgh.${"-".repeat(64)}`, SHAPE],
  ].map(([name = "", header = "", hint]): [string, Record<string, string>, string] => [
    name,
    { Authorization: header, "X-API-Key": UNKNOWN },
    `The API key is malformed: ${hint}.`,
  ]),
])("%s is rejected with 401 without a query", async (_, headers, message) => {
  const { env, trips } = countingEnv();
  const response = await call(null, "GET", LINKS, { headers, env });
  expect((await expectError(response, 401, "INVALID_API_KEY")).message).toBe(message);
  expect(trips()).toBe(0);
  expect(response.headers.has("X-RateLimit-Limit")).toBe(false);
});

test("an unknown prefix and a wrong secret have the same response", async () => {
  const workspace = await newWorkspace();
  const wrongSecret = workspace.key.slice(0, -1) + (workspace.key.endsWith("x") ? "y" : "x");
  const errors = [
    await expectError(await call(UNKNOWN, "GET", LINKS), 401, "INVALID_API_KEY"),
    await expectError(await call(wrongSecret, "GET", LINKS), 401, "INVALID_API_KEY"),
  ];
  expect(errors[0]).toEqual(errors[1]);
  expect(errors[0]?.message).toBe("The API key is unknown.");
});

test("the scheme is case-insensitive", async () => {
  const workspace = await newWorkspace();
  const response = await call(null, "GET", LINKS, { headers: { Authorization: `bEARER ${workspace.key}` } });
  expect(response.status).toBe(200);
});

test("revoked and expired keys have their own error codes; a key that is both is revoked", async () => {
  const workspace = await newWorkspace();
  const past = Date.now() - 1_000;
  const revoked = await workspace.newKey({ revokedAt: past });
  const expired = await workspace.newKey({ expiresAt: past });
  const both = await workspace.newKey({ revokedAt: past, expiresAt: past });
  const valid = await workspace.newKey({ expiresAt: Date.now() + 60_000 });
  await expectError(await call(revoked, "GET", LINKS), 401, "REVOKED_API_KEY");
  await expectError(await call(expired, "GET", LINKS), 401, "EXPIRED_API_KEY");
  await expectError(await call(both, "GET", LINKS), 401, "REVOKED_API_KEY");
  expect((await call(valid, "GET", LINKS)).status).toBe(200);
});

test("a key can call only operations of its scopes", async () => {
  const workspace = await newWorkspace();
  const reader = workspace.as(await workspace.newKey({ scopes: ["links:read"] }));
  const writer = workspace.as(await workspace.newKey({ scopes: ["links:write"] }));
  expect((await reader.call("GET", LINKS)).status).toBe(200);
  const error = await expectError(await writer.call("GET", LINKS), 403, "INSUFFICIENT_SCOPE");
  expect(error.message).toContain("links:read");
  await createLink(writer);
});

test("checks run in the order plan, scope, input, resource, plan feature", async () => {
  const free = await newWorkspace("free");
  // The plan is checked before the scope and the input.
  const unscoped = free.as(await free.newKey({ scopes: [] }));
  await expectError(await unscoped.call("POST", LINKS, { body: "{" }), 403, "FEATURE_NOT_AVAILABLE");
  const pro = await newWorkspace("pro");
  // The scope is checked before the input, and the input before the resource.
  const reader = pro.as(await pro.newKey({ scopes: ["links:read"] }));
  await expectError(await reader.call("POST", LINKS, { body: "{" }), 403, "INSUFFICIENT_SCOPE");
  await expectError(
    await pro.call("PATCH", `${LINKS}/unknown`, { body: { url: 1 } }),
    400,
    "VALIDATION_ERROR",
  );
  // The resource is checked before the features of the plan.
  const rules = [{ when: { country: ["CA"] }, destination: "https://example.com" }];
  await expectError(
    await pro.call("PATCH", `${LINKS}/unknown`, { body: { routing_rules: rules } }),
    404,
    "RESOURCE_NOT_FOUND",
  );
});

test("a plan without API access receives 403 and limits of 0", async () => {
  const free = await newWorkspace("free");
  const response = await free.call("GET", LINKS);
  await expectError(response, 403, "FEATURE_NOT_AVAILABLE");
  expect(response.headers.get("X-RateLimit-Limit")).toBe("0");
  expect(response.headers.get("X-RateLimit-Burst-Limit")).toBe("0");
});

test("unknown paths and methods receive 404 and 405 after authentication", async () => {
  const workspace = await newWorkspace();
  await expectError(await call(null, "GET", "/v1/nothing"), 401, "INVALID_API_KEY");
  await expectError(await workspace.call("GET", "/v1/nothing"), 404, "RESOURCE_NOT_FOUND");
  const response = await workspace.call("PUT", LINKS);
  await expectError(response, 405, "METHOD_NOT_ALLOWED");
  expect(response.headers.get("Allow")).toBe("POST, GET, HEAD");
  const bulk = await workspace.call("GET", "/v1/links/bulk");
  await expectError(bulk, 405, "METHOD_NOT_ALLOWED");
  expect(bulk.headers.get("Allow")).toBe("POST, PATCH");
});

test("/healthz needs no key and rejects other methods with 405 and Allow", async () => {
  expect((await call(null, "GET", "/healthz")).status).toBe(200);
  expect((await call(null, "HEAD", "/healthz")).status).toBe(200);
  for (const method of ["POST", "DELETE", "PUT"]) {
    const response = await call(null, method, "/healthz");
    await expectError(response, 405, "METHOD_NOT_ALLOWED");
    expect(response.headers.get("Allow")).toBe("GET, HEAD");
  }
});

test.each(["/v1/links", "/mcp"])(
  "%s returns a challenge with 401, and an error only for a wrong token",
  async (path) => {
    const challenge = async (headers: Record<string, string>) => {
      const response = await send(new Request(`http://localhost:8787${path}`, { method: "POST", headers }));
      expect(response.status).toBe(401);
      return response.headers.get("WWW-Authenticate");
    };
    expect(await challenge({})).toBe('Bearer realm="Signpost"');
    expect(await challenge({ Authorization: "Basic eDp5" })).toBe('Bearer realm="Signpost"');
    for (const token of ["x", `svc_pk_${"a".repeat(8)}.${"b".repeat(64)}`]) {
      const wrong = await challenge({ Authorization: `Bearer ${token}` });
      expect(wrong).toBe('Bearer realm="Signpost", error="invalid_token"');
    }
  },
);

test.each([
  // Headers of MCP's Streamable HTTP, and of W3C Trace Context.
  ["/mcp", ["authorization", "content-type", "mcp-protocol-version", "mcp-session-id", "last-event-id"]],
  ["/mcp", ["mcp-method", "mcp-name", "traceparent", "tracestate"]],
  ["/v1/links", ["traceparent", "tracestate"]],
])("a preflight of %s allows %j", async (path, names) => {
  const preflight = await call(null, "OPTIONS", path, {
    headers: {
      Origin: "https://app.example",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": names.join(),
    },
  });
  const allowed = preflight.headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(",");
  expect(allowed).toEqual(expect.arrayContaining(names));
});

test("CORS allows every origin, without credentials", async () => {
  const preflight = await call(null, "OPTIONS", LINKS, {
    headers: { Origin: "https://app.example", "Access-Control-Request-Method": "PATCH" },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("PATCH");
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("Idempotency-Key");
  expect(preflight.headers.has("Access-Control-Allow-Credentials")).toBe(false);
});

test("an unexpected error receives 500 without its cause", async () => {
  const workspace = await newWorkspace();
  const DIRECTORY = {
    prepare: () => {
      throw new Error("the secret reason");
    },
  };
  const { env } = countingEnv();
  const error = await expectError(
    await workspace.call("GET", LINKS, { env: { ...env, DIRECTORY: DIRECTORY as unknown as D1Database } }),
    500,
    "INTERNAL_ERROR",
  );
  expect(error.message).not.toContain("secret");
});
