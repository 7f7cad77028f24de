import { expect, test } from "vitest";
import {
  formatKey,
  generateKey,
  hasScope,
  parseAuthorization,
  SCOPES,
  type Scope,
} from "../../src/auth/key.ts";

const PREFIX = "Ab3dE6gH";
const SECRET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ42";
const KEY = `svc_pk_${PREFIX}.${SECRET}`;

test.each(["Bearer", "bearer", "BEARER", "bEaReR"])("parseAuthorization accepts the scheme %s", (scheme) => {
  expect(parseAuthorization(`${scheme} ${KEY}`)).toEqual({ prefix: PREFIX, secret: SECRET });
});

test.each([
  ["no header", undefined],
  ["an empty header", ""],
  ["the scheme alone", "Bearer"],
  ["the scheme and a space", "Bearer "],
  ["no scheme", KEY],
  ["a doubled scheme", `Bearer Bearer ${KEY}`],
  ["another scheme", `Basic ${KEY}`],
  ["a colon after the scheme", `Bearer: ${KEY}`],
  ["double quotes around the key", `Bearer "${KEY}"`],
  ["single quotes around the key", `Bearer '${KEY}'`],
  ["quotes around the header", `"Bearer ${KEY}"`],
  ["two spaces", `Bearer  ${KEY}`],
  ["a tab", `Bearer\t${KEY}`],
  ["no space", `Bearer${KEY}`],
  ["a leading space", ` Bearer ${KEY}`],
  ["a trailing space", `Bearer ${KEY} `],
  ["a trailing line break", `Bearer ${KEY}\n`],
  ["a comma and a second value", `Bearer ${KEY}, Bearer ${KEY}`],
  ["one character too many", `Bearer ${KEY}a`],
  ["one character too few", `Bearer ${KEY.slice(0, -1)}`],
  ["a prefix of seven characters", `Bearer svc_pk_${PREFIX.slice(1)}.${SECRET}`],
  ["a prefix of nine characters", `Bearer svc_pk_${PREFIX}x.${SECRET}`],
  ["a doubled key prefix", `Bearer svc_pk_${KEY}`],
  ["an upper-case key prefix", `Bearer SVC_PK_${PREFIX}.${SECRET}`],
  ["another key prefix", `Bearer svc_sk_${PREFIX}.${SECRET}`],
  ["no key prefix", `Bearer ${PREFIX}.${SECRET}`],
  ["no dot", `Bearer svc_pk_${PREFIX}${SECRET}`],
  ["another separator", `Bearer svc_pk_${PREFIX}_${SECRET}`],
  ["a hyphen in the secret", `Bearer ${KEY.slice(0, -1)}-`],
  ["a letter outside ASCII", `Bearer ${KEY.slice(0, -1)}é`],
  ["a null character", `Bearer ${KEY.slice(0, -1)}\0`],
])("parseAuthorization rejects %s", (_, header) => {
  expect(parseAuthorization(header)).toBeNull();
});

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

test("SCOPES lists every scope of the API", () => {
  expect([...SCOPES].sort()).toEqual(
    [
      ...[
        "analytics:read",
        "assets:read",
        "assets:write",
        "bio:read",
        "bio:write",
        "links:read",
        "links:write",
      ],
      ...["qr:read", "qr:render", "qr:write", "webhooks:read", "webhooks:write", "workspace:read"],
    ].sort(),
  );
});
