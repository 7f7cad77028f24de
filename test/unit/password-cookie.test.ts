import { expect, test } from "vitest";
import { hasPasswordCookie, writePasswordCookie } from "../../src/guards/password-cookie.ts";

const SECRET = "secret that only tests use, long enough";
const NOW_MS = Date.parse("2026-11-21T09:30:00.500Z");
const HOUR_MS = 3_600_000;
const URL_OF_LINK = new URL("https://go.example/AbC2345?utm=1");
const GUARDED = { linkId: "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f", passwordVersion: "salt" };

/** Writes the link's cookie, and returns the name and value that a browser sends back. */
async function takeCookie(guarded = GUARDED, secret = SECRET): Promise<string> {
  const header = await writePasswordCookie(secret, guarded, URL_OF_LINK, NOW_MS);
  return header.split(";")[0] as string;
}

function isKnown(cookie: string, guarded = GUARDED, nowMs = NOW_MS, secret = SECRET): Promise<boolean> {
  return hasPasswordCookie(secret, guarded, new Headers({ Cookie: cookie }), nowMs);
}

test("the cookie is for this host and path, hidden from scripts, and only sent over https", async () => {
  const [, ...attributes] = (await writePasswordCookie(SECRET, GUARDED, URL_OF_LINK, NOW_MS)).split("; ");
  expect(attributes).toEqual(["Max-Age=3600", "Path=/AbC2345", "HttpOnly", "SameSite=Lax", "Secure"]);
  const local = await writePasswordCookie(SECRET, GUARDED, new URL("http://a.localhost:8787/x"), NOW_MS);
  expect(local).not.toContain("Secure");
});

test("the cookie gives its visitor access for an hour", async () => {
  const cookie = await takeCookie();
  expect(await isKnown(cookie)).toBe(true);
  expect(await isKnown(`other=1; ${cookie}; more=2`)).toBe(true);
  expect(await isKnown(`x${cookie}; ${cookie}`)).toBe(true);
  expect(await isKnown(cookie, GUARDED, NOW_MS + HOUR_MS - 1_000)).toBe(true);
  expect(await isKnown(cookie, GUARDED, NOW_MS + HOUR_MS)).toBe(false);
});

test("the cookie is invalid for another link, and after a change of the password or the secret", async () => {
  const cookie = await takeCookie();
  expect(await isKnown(cookie, { ...GUARDED, linkId: "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e60" })).toBe(false);
  expect(await isKnown(cookie, { ...GUARDED, passwordVersion: "other" })).toBe(false);
  expect(await isKnown(cookie, GUARDED, NOW_MS, `${SECRET}!`)).toBe(false);
});

test("an altered cookie is invalid", async () => {
  const [name, value = ""] = (await takeCookie()).split("=");
  const [expires = "", signature = ""] = value.split(".");
  const altered = [
    "",
    `${name}=`,
    `${name}=${expires}`,
    `${name}=${Number(expires) + 1}.${signature}`,
    `${name}=0${expires}.${signature}`,
    `${name}=${expires}.${signature.toUpperCase()}`,
    `${name}=${expires}.${signature.slice(1)}`,
    `${name}=${expires}.${"0".repeat(64)}`,
    `x${name}=${value}`,
  ];
  for (const cookie of altered) expect(await isKnown(cookie), cookie).toBe(false);
});

test("a cookie lasts for whole seconds, and the secret has at least 32 characters", async () => {
  const cookie = await takeCookie();
  // It was written half a second after a whole second.
  expect(await isKnown(cookie, GUARDED, NOW_MS + HOUR_MS - 501)).toBe(true);
  expect(await isKnown(cookie, GUARDED, NOW_MS + HOUR_MS - 500)).toBe(false);
  expect(await takeCookie(GUARDED, "x".repeat(32))).toContain("signpost_password=");
  await expect(takeCookie(GUARDED, "x".repeat(31))).rejects.toThrow("at least 32 characters");
});
