import { expect, test } from "vitest";
import { DAY_MS } from "../../src/core/time.ts";
import { parseAuthorization } from "../../src/keys/authorization.ts";
import { type AuthenticatedKey, formatKey, generateKey } from "../../src/keys/key.ts";
import { keyRotation, newKey } from "../../src/keys/keys.schema.ts";
import { isFirstUseOfDay } from "../../src/keys/last-use.ts";
import { hasScope, SCOPES, type Scope } from "../../src/permissions/scopes.ts";

test("generateKey returns a new key that formatKey and parseAuthorization convert to text and back", () => {
  const keys = Array.from({ length: 100 }, () => generateKey());
  for (const key of keys) {
    expect(formatKey(key)).toMatch(/^svc_pk_[A-Za-z0-9]{8}\.[A-Za-z0-9]{64}$/);
    expect(parseAuthorization(`Bearer ${formatKey(key)}`)).toEqual(key);
  }
  expect(new Set(keys.map((key) => key.secret)).size).toBe(keys.length);
});

test.each<[string[], Scope, boolean]>([
  [["*"], "links:write", true],
  [["links:write"], "links:write", true],
  [["qr:render", "links:read"], "links:read", true],
  [["links:write"], "links:read", false],
  [["links:read"], "links:write", false],
  [["links:*"], "links:read", false],
  [["links"], "links:read", false],
  [[], "links:read", false],
])("hasScope(%j, %s) returns %j", (scopes, required, expected) => {
  expect(hasScope(scopes, required)).toBe(expected);
});

test.each([
  ["a name", { name: "a" }, true],
  ["a name of 200 characters", { name: "a".repeat(200) }, true],
  ["an empty name", { name: "" }, false],
  ["a name of 201 characters", { name: "a".repeat(201) }, false],
  ["every scope", { scopes: ["*", ...SCOPES] }, true],
  ["no scope", { scopes: [] }, false],
  ["a scope twice", { scopes: ["links:read", "links:read"] }, false],
  ["an unknown scope", { scopes: ["keys:write"] }, false],
])("a new key with %s is accepted or rejected", (_, fields, isValid) => {
  expect(newKey.safeParse({ name: "Shop", scopes: ["*"], ...fields }).success).toBe(isValid);
});

test.each([
  [-1, undefined],
  [0, 0],
  [24, 24],
  [25, undefined],
  [0.5, undefined],
  [undefined, 0],
])("a rotation with an overlap of %j hours is read as %j", (hours, expected) => {
  expect(keyRotation.safeParse({ overlap_hours: hours }).data?.overlap_hours).toBe(expected);
});

test.each([
  [null, true],
  [19_999, true],
  [20_000, false],
  [20_001, false],
])("a use on day 20,000 of a key last used on day %j is the first one of the day: %j", (day, isFirst) => {
  const nowMs = 20_001 * DAY_MS - 1;
  expect(isFirstUseOfDay({ lastUsedDay: day } as AuthenticatedKey, nowMs)).toBe(isFirst);
});

test("SCOPES lists every scope of the API", () => {
  expect([...SCOPES].sort()).toEqual(
    [
      ...[
        "analytics:read",
        "assets:read",
        "assets:write",
        "audit:read",
        "bio:read",
        "bio:write",
        "domains:write",
        "links:read",
        "links:write",
      ],
      ...[
        "qr:read",
        "qr:render",
        "qr:write",
        "reports:read",
        "reports:write",
        "webhooks:read",
        "webhooks:write",
        "workspace:read",
      ],
    ].sort(),
  );
});
