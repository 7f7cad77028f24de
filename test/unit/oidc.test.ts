import { describe, expect, test } from "vitest";
import { deriveSealKey } from "../../src/core/seal.ts";
import { type Claims, findTokenProblem, readVerifiedEmail } from "../../src/sign-in/identity-claims.ts";
import { parseReturnPath } from "../../src/sign-in/return-path.ts";
import { describeAuthorizationError, describeEndpointError } from "../../src/sign-in/sign-in-error.ts";
import {
  openTransaction,
  sealTransaction,
  TRANSACTION_KEY_PURPOSE,
} from "../../src/sign-in/sign-in-transaction.ts";
import {
  clearTransactionCookie,
  readTransactionCookie,
  writeTransactionCookie,
} from "../../src/sign-in/transaction-cookie.ts";

const APP = "https://app.acme.com";
const NOW_MS = 1_800_000_000_000;
const NOW = NOW_MS / 1_000;

describe("readVerifiedEmail", () => {
  const email = "ada@acme.com";
  test.each<[Claims, string[], object]>([
    [{ email, email_verified: true }, [], { email }],
    [{ email: " ADA@Acme.com ", email_verified: "true" }, [], { email }],
    [{ email: "zoé@acme.com", email_verified: true }, [], { email: "zoé@acme.com" }],
    [{ email, email_verified: false }, [], { refusal: "unverified_email" }],
    [{ email, email_verified: "false" }, [], { refusal: "unverified_email" }],
    [{ email, email_verified: 1 }, [], { refusal: "unverified_email" }],
    [{ email, email_verified: null }, ["acme.com"], { refusal: "unverified_email" }],
    [{ email }, [], { refusal: "unverified_email" }],
    [{ email }, ["acme.com"], { email }],
    [{ email: "ADA@ACME.COM" }, ["acme.com"], { email }],
    [{ email, email_verified: false }, ["acme.com"], { refusal: "unverified_email" }],
    [{ email: "ada@eu.acme.com" }, ["acme.com"], { refusal: "unverified_email" }],
    [{ email: "ada@notacme.com" }, ["acme.com"], { refusal: "unverified_email" }],
    [{ email: "acme.com@evil.example" }, ["acme.com"], { refusal: "unverified_email" }],
    [{ email_verified: true }, [], { refusal: "no_email" }],
    [{ email: "", email_verified: true }, [], { refusal: "no_email" }],
    [{ email: ["ada@acme.com"], email_verified: true }, [], { refusal: "no_email" }],
    [{ email: "ada", email_verified: true }, [], { refusal: "no_email" }],
    [{ email: "ada@acme.com@evil.example", email_verified: true }, [], { refusal: "no_email" }],
    [{ email: `${"a".repeat(255)}@acme.com`, email_verified: true }, [], { refusal: "no_email" }],
    // The Kelvin sign becomes a "k" in lower case.
    [{ email: "\u212aate@acme.com", email_verified: true }, [], { refusal: "no_email" }],
    [{ email: "ZOÉ@acme.com", email_verified: true }, [], { refusal: "no_email" }],
  ])("of %j with the trusted domains %j", (claims, domains, expected) => {
    expect(readVerifiedEmail(claims, domains)).toEqual(expected);
  });
});

describe("findTokenProblem", () => {
  const claims = { sub: "s", iat: NOW };
  test.each<[Claims, RegExp | null]>([
    [claims, null],
    [{ ...claims, sub: "s".repeat(255), azp: "signpost" }, null],
    [{ ...claims, sub: "s".repeat(256) }, /sub/],
    [{ ...claims, sub: "" }, /sub/],
    [{ ...claims, sub: 7 }, /sub/],
    [{ ...claims, azp: "another" }, /azp/],
    [{ ...claims, azp: null }, /azp/],
    [{ ...claims, iat: NOW + 60 }, null],
    [{ ...claims, iat: NOW + 60.001 }, /iat/],
    [{ ...claims, iat: undefined }, /iat/],
    [{ ...claims, iat: 0 }, null],
  ])("of %j is %s", (given, fault) => {
    const found = findTokenProblem(given, "signpost", NOW_MS);
    if (fault === null) expect(found).toBeNull();
    else expect(found).toMatch(fault);
  });
});

describe("parseReturnPath", () => {
  test.each([
    ["/links?page=2#top", "/links?page=2"],
    [`/${"a".repeat(511)}`, `/${"a".repeat(511)}`],
    [`/${"a".repeat(512)}`, "/"],
    ["links", "/links"],
    [`${APP}/links`, "/links"],
    ["https://evil.example/", "/"],
    ["https://app.acme.com.evil.example/", "/"],
    ["https://app.acme.com@evil.example/", "/"],
    ["http://app.acme.com/", "/"],
    ["https://app.acme.com:8443/", "/"],
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["\\\\evil.example", "/"],
    ["/\t/evil.example", "/"],
    ["/.//evil.example", "/"],
    ["/a/..//evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["http://", "/"],
    ["", "/"],
    [null, "/"],
    ["/sign-in/oidc?return=/", "/"],
    ["/./sign-out", "/"],
    ["/sign-in", "/"],
    ["/sign-ins", "/sign-ins"],
  ])("of %j is %j", (text, expected) => {
    expect(parseReturnPath(text, APP)).toBe(expected);
  });
});

describe("a transaction", () => {
  const transaction = {
    issuer: "https://id.acme.com",
    state: "state",
    nonce: "nonce",
    verifier: "verifier",
    returnPath: "/",
    sessionId: "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f",
    expiresAtMs: NOW_MS,
  };
  const secrets = { WEBHOOK_KEY: "a webhook key that only tests use" };

  test("can be opened until it expires, for its provider, with the key of its purpose", async () => {
    const key = await deriveSealKey(secrets, TRANSACTION_KEY_PURPOSE);
    const sealed = await sealTransaction(key, transaction);
    const open = (issuer: string, nowMs: number) => openTransaction(key, sealed, issuer, nowMs);
    expect(await open(transaction.issuer, NOW_MS - 1)).toEqual(transaction);
    expect(await open(transaction.issuer, NOW_MS)).toBeNull();
    expect(await open("https://id.evil.example", NOW_MS - 1)).toBeNull();
    const other = await deriveSealKey(secrets, "webhook secrets");
    expect(await openTransaction(other, sealed, transaction.issuer, NOW_MS - 1)).toBeNull();
    expect(await openTransaction(key, `${sealed.slice(0, -4)}AAAA`, transaction.issuer, 0)).toBeNull();
    expect(await openTransaction(key, "", transaction.issuer, 0)).toBeNull();
  });

  test("fits into a cookie with the longest path", async () => {
    const key = await deriveSealKey(secrets, TRANSACTION_KEY_PURPOSE);
    const returnPath = parseReturnPath(`/${"a".repeat(511)}`, APP);
    const texts = { state: "s".repeat(43), nonce: "n".repeat(43), verifier: "v".repeat(43) };
    const issuer = `https://id.acme.com/${"i".repeat(200)}`;
    const sealed = await sealTransaction(key, { ...transaction, ...texts, issuer, returnPath });
    const cookie = writeTransactionCookie(sealed, APP);
    expect(cookie.length).toBeLessThan(4_096);
    expect(readTransactionCookie(cookie.split(";")[0] ?? "", APP)).toBe(sealed);
  });
});

describe("the cookie of a transaction", () => {
  test.each([
    [APP, "__Host-signpost_sign_in", "; Secure"],
    ["http://app.localhost:8787", "signpost_sign_in", ""],
  ])("of %s can only be set by this host", (appUrl, name, secure) => {
    const rest = `Path=/; HttpOnly; SameSite=Lax${secure}`;
    expect(writeTransactionCookie("ab.c+/=", appUrl)).toBe(`${name}=ab.c+/=; Max-Age=600; ${rest}`);
    expect(clearTransactionCookie(appUrl)).toBe(`${name}=; Max-Age=0; ${rest}`);
    expect(readTransactionCookie(`a=b; ${name}=ab.c+/=;c=d`, appUrl)).toBe("ab.c+/=");
  });

  test("is read up to 4,000 characters of its second part", () => {
    const sealed = `ab.${"A".repeat(4_000)}`;
    expect(readTransactionCookie(`__Host-signpost_sign_in=${sealed}`, APP)).toBe(sealed);
  });

  test.each([
    null,
    "",
    "__Host-signpost_sign_in=",
    "__Host-signpost_sign_in=x",
    `__Host-signpost_sign_in=ab.${"A".repeat(4_001)}`,
    "signpost_sign_in=ab.AAAA",
    "x__Host-signpost_sign_in=ab.AAAA",
  ])("is not read from %s", (header) => {
    expect(readTransactionCookie(header, APP)).toBeNull();
  });
});

test.each([
  ["access_denied", "declined", "unusable"],
  ["interaction_required", "declined", "unusable"],
  ["server_error", "unavailable", "unavailable"],
  ["temporarily_unavailable", "unavailable", "unavailable"],
  ["invalid_grant", "unusable", "stale"],
  ["invalid_client", "unusable", "unusable"],
  ["a".repeat(40), "unusable", "unusable"],
])("the error %s becomes %s after the callback, and %s after the code exchange", (code, back, exchange) => {
  expect(describeAuthorizationError(code)).toMatchObject({ reason: back });
  const error = describeEndpointError(code, "token endpoint");
  expect(error).toMatchObject({ reason: exchange });
  expect(error.message).toContain(`the token endpoint of the identity provider returned the error ${code}`);
});

test.each(["Ada@acme.com", "<b>", "a".repeat(41), ""])("the log does not contain the error %j", (code) => {
  expect(describeAuthorizationError(code).message).toMatch(/\(unknown\)$/);
});
