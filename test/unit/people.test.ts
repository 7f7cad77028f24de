import { describe, expect, test } from "vitest";
import { describeBrowser } from "../../src/members/browser-name.ts";
import { normalizeEmail } from "../../src/members/email.ts";
import {
  forgetSession,
  formatSessionKey,
  recallSession,
  rememberSession,
} from "../../src/members/known-sessions.ts";
import {
  clearSessionCookie,
  hasSessionCookie,
  readSessionCookie,
  writeSessionCookie,
} from "../../src/members/session-cookie.ts";
import { findSessionEnd, isSeenStale, SIGN_IN_LINK_MS } from "../../src/members/session-times.ts";
import { generateSession } from "../../src/members/sessions.ts";
import { generateLinkToken } from "../../src/members/sign-in-link-address.ts";
import { findLeastRole, listScopes, ROLES } from "../../src/permissions/roles.ts";
import { hasScope, PERSON_SCOPES, SCOPES } from "../../src/permissions/scopes.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOKEN = "aB3".repeat(16);
const HTTPS = "https://app.signpost.example";
const LOCAL = "http://app.localhost:8787";

describe("the cookie of a session", () => {
  test("has the prefix and Secure over https, and neither in local development", () => {
    const attributes = "Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax";
    expect(writeSessionCookie(TOKEN, HTTPS)).toBe(`__Host-signpost_session=${TOKEN}; ${attributes}; Secure`);
    expect(writeSessionCookie(TOKEN, LOCAL)).toBe(`signpost_session=${TOKEN}; ${attributes}`);
    expect(clearSessionCookie(LOCAL)).toBe("signpost_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
  });

  test.each([
    [`__Host-signpost_session=${TOKEN}`, HTTPS, TOKEN],
    [`a=b;__Host-signpost_session=${TOKEN} ; c=d`, HTTPS, TOKEN],
    [`signpost_session=${TOKEN}`, LOCAL, TOKEN],
    [`signpost_session=${TOKEN}`, HTTPS, null],
    [`__Host-signpost_session=${TOKEN}`, LOCAL, null],
    [`x-signpost_session=${TOKEN}`, LOCAL, null],
    [`x-signpost_session=${"x".repeat(48)}; signpost_session=${TOKEN}`, LOCAL, TOKEN],
    [`signpost_session=${TOKEN}x`, LOCAL, null],
    [`signpost_session=${TOKEN.slice(1)}`, LOCAL, null],
    [`signpost_session=${TOKEN.slice(1)}-`, LOCAL, null],
    ["signpost_session=", LOCAL, null],
    ["", LOCAL, null],
    [undefined, LOCAL, null],
  ])("in %j at %s is %j", (header, appUrl, expected) => {
    expect(readSessionCookie(header, appUrl)).toBe(expected);
  });

  test("is recognized in any form", () => {
    expect(hasSessionCookie(`a=b; __Host-signpost_session=x`)).toBe(true);
    expect(hasSessionCookie("a=b")).toBe(false);
    expect(hasSessionCookie(undefined)).toBe(false);
  });
});

describe("roles", () => {
  test("have scopes, and each role has all scopes of the next one", () => {
    const all = [...SCOPES, ...PERSON_SCOPES];
    const had = ROLES.map((role) => all.filter((scope) => hasScope(listScopes(role), scope)));
    expect(had[0]).toEqual(all);
    expect(all.filter((scope) => !had[1]?.includes(scope))).toEqual(["domains:write", "keys", "members"]);
    expect(had[2]).toEqual([...SCOPES.filter((scope) => /:read$|^qr:render$/.test(scope)), "session"]);
  });

  test.each([
    ["keys", "owner"],
    ["domains:write", "owner"],
    ["links:write", "editor"],
    ["links:read", "viewer"],
    ["qr:render", "viewer"],
    ["session", "viewer"],
  ] as const)("%s needs at least %s", (scope, role) => expect(findLeastRole(scope)).toBe(role));
});

test.each([
  ["Ada@Example.COM ", "ada@example.com"],
  ["ÄDA@example.com", "äda@example.com"],
  ["ada", null],
  ["a b@example.com", null],
  ["a@b@c", null],
  ["@example.com", null],
  [`${"a".repeat(242)}@example.com`, `${"a".repeat(242)}@example.com`],
  [`${"a".repeat(243)}@example.com`, null],
])("the email %j is normalized to %j", (text, expected) => expect(normalizeEmail(text)).toBe(expected));

test("a session ends 14 days after its last use or 30 days after its start, whichever is first", () => {
  expect(findSessionEnd(0, 0)).toBe(14 * DAY_MS);
  expect(findSessionEnd(0, 10 * DAY_MS)).toBe(24 * DAY_MS);
  expect(findSessionEnd(0, 16 * DAY_MS + 1)).toBe(30 * DAY_MS);
  expect([DAY_MS - 1, DAY_MS].map((ms) => isSeenStale(0, ms))).toEqual([false, true]);
  expect(SIGN_IN_LINK_MS).toBe(900_000);
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
  ["curl/8.5.0", "Unknown browser"],
  [null, "Unknown browser"],
])("the browser %j is described as %j", (header, expected) => expect(describeBrowser(header)).toBe(expected));

test("a sign-in link has 48 letters and digits", async () => {
  expect((await generateLinkToken()).token).toMatch(/^[A-Za-z0-9]{48}$/);
});

test("a session starts with a token that fits its cookie, and is cached for an hour", async () => {
  const { token, tokenHash } = await generateSession(0);
  expect(readSessionCookie(`signpost_session=${token}`, LOCAL)).toBe(token);
  const sessions = Array.from({ length: 5 }, (_, n) => {
    const key = formatSessionKey(tokenHash, `workspace-${n}`);
    const session = { workspaceId: `w${n}`, memberId: "m", verifiedAtMs: 1_000 };
    rememberSession(key, session);
    return { key, session };
  });
  for (const { key, session } of sessions) {
    expect(recallSession(key, 1_000 + HOUR_MS - 1)).toEqual(session);
    expect(recallSession(key, 1_000 + HOUR_MS)).toBeUndefined();
    forgetSession(key);
    expect(recallSession(key, 1_000)).toBeUndefined();
  }
});
