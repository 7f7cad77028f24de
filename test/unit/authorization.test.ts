import { expect, test } from "vitest";
import { describeAuthorizationProblem, parseAuthorization } from "../../src/keys/authorization.ts";

const PREFIX = "Az09ZaG9";
const SECRET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ42";
const KEY = `svc_pk_${PREFIX}.${SECRET}`;
const SHAPE = "a key is `svc_pk_`, 8 letters or digits, a dot, and 64 letters or digits";

test.each(["Bearer", "bearer", "BEARER", "bEaReR"])("parseAuthorization accepts the scheme %s", (scheme) => {
  expect(parseAuthorization(`${scheme} ${KEY}`)).toEqual({ prefix: PREFIX, secret: SECRET });
});

test.each([
  ["an empty header", "", "the header is empty"],
  ["the scheme alone", "Bearer", "no key follows `Bearer`"],
  ["the scheme and a space", "Bearer ", "no key follows `Bearer`"],
  ["no scheme", KEY, "add `Bearer ` before the key"],
  ["a doubled scheme", `Bearer Bearer ${KEY}`, "`Bearer` appears twice"],
  ["another scheme", `Basic ${KEY}`, "the scheme must be `Bearer`"],
  ["a colon after the scheme", `Bearer: ${KEY}`, "use exactly one space after `Bearer`"],
  ["double quotes around the key", `Bearer "${KEY}"`, "remove the quotes"],
  ["single quotes around the key", `Bearer '${KEY}'`, "remove the quotes"],
  ["quotes around the header", `"Bearer ${KEY}"`, "remove the quotes"],
  ["two spaces", `Bearer  ${KEY}`, "use exactly one space after `Bearer`"],
  ["a tab", `Bearer\t${KEY}`, "use exactly one space after `Bearer`"],
  ["no space", `Bearer${KEY}`, "use exactly one space after `Bearer`"],
  ["a leading space", ` Bearer ${KEY}`, SHAPE],
  ["a trailing space", `Bearer ${KEY} `, SHAPE],
  ["a trailing line break", `Bearer ${KEY}\n`, SHAPE],
  ["quotes around a key without a scheme", `"${KEY}"`, "remove the quotes"],
  ["a scheme with a digest", `Digest username="x", nonce="y"`, "the scheme must be `Bearer`"],
  ["a variable that was not replaced", "Bearer $API_KEY", SHAPE],
  ["a comma and a second value", `Bearer ${KEY}, Bearer ${KEY}`, "send exactly one key"],
  ["one character too many", `Bearer ${KEY}a`, SHAPE],
  ["one character too few", `Bearer ${KEY.slice(0, -1)}`, SHAPE],
  ["a prefix of seven characters", `Bearer svc_pk_${PREFIX.slice(1)}.${SECRET}`, SHAPE],
  ["a prefix of nine characters", `Bearer svc_pk_${PREFIX}x.${SECRET}`, SHAPE],
  ["a doubled key prefix", `Bearer svc_pk_${KEY}`, "`svc_pk_` appears twice"],
  ["an upper-case key prefix", `Bearer SVC_PK_${PREFIX}.${SECRET}`, SHAPE],
  ["another key prefix", `Bearer svc_sk_${PREFIX}.${SECRET}`, SHAPE],
  ["no key prefix", `Bearer ${PREFIX}.${SECRET}`, SHAPE],
  ["no dot", `Bearer svc_pk_${PREFIX}${SECRET}`, SHAPE],
  ["another separator", `Bearer svc_pk_${PREFIX}_${SECRET}`, SHAPE],
  ["a hyphen in the secret", `Bearer ${KEY.slice(0, -1)}-`, SHAPE],
  ["a letter outside ASCII", `Bearer ${KEY.slice(0, -1)}é`, SHAPE],
  ["a null character", `Bearer ${KEY.slice(0, -1)}\0`, SHAPE],
])("parseAuthorization rejects %s, and describeAuthorizationProblem gives a hint", (_, header, hint) => {
  expect(parseAuthorization(header)).toBeNull();
  const text = describeAuthorizationProblem(header, true);
  expect(text).toBe(`The API key is malformed: ${hint}.`);
  expect(describeAuthorizationProblem(header, false)).toBe(text);
});

test("a missing header has a hint for clients that send X-API-Key", () => {
  expect(parseAuthorization(undefined)).toBeNull();
  expect(describeAuthorizationProblem(undefined, false)).toBe(
    "The API key is missing: send it as `Authorization: Bearer svc_pk_…`.",
  );
  expect(describeAuthorizationProblem(undefined, true)).toBe(
    "The API key is missing: send the key of `X-API-Key` as `Authorization: Bearer svc_pk_…`.",
  );
});
