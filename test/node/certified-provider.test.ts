import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  beginAtProvider,
  finishAtProvider,
  type ProvedIdentity,
} from "../../src/sign-in/sign-in-at-provider.ts";
import type { SignInError, SignInReason } from "../../src/sign-in/sign-in-error.ts";
import { NodeIdentityProvider } from "../support/identity-provider.ts";

/**
 * Sign-ins at a certified provider without a browser. `e2e/provider-sign-in` has them in a browser, and
 * `worker/provider-sign-in` the page for each reason of a failure.
 */

const APP = "http://app.localhost";
const EMAIL = "ada@example.com";
const MINUTE_MS = 60_000;

const provider = new NodeIdentityProvider();
beforeAll(async () => {
  await provider.listen();
  provider.accounts.set("ada", { email: EMAIL, email_verified: true });
  provider.accounts.set("unverified", { email: EMAIL, email_verified: false });
  await provider.register(APP);
});
afterEach(() => {
  vi.useRealTimers();
  provider.beforeToken = () => {};
  provider.isDown = false;
});
afterAll(() => provider.stop());

function getContext(of = provider) {
  const { OIDC_ISSUER: issuer = "", OIDC_CLIENT_ID: clientId = "", OIDC_CLIENT_SECRET } = of.vars;
  return {
    provider: { issuer, clientId, clientSecret: OIDC_CLIENT_SECRET ?? null, trustedEmailDomains: [] },
    appUrl: APP,
    policy: { allowLoopback: true, isOwn: () => false },
    nowMs: Date.now(),
  };
}

function begin(of = provider) {
  return beginAtProvider(getContext(of), { returnPath: "/", sessionId: "session" }, async () => {});
}

/** Signs in at the provider like a browser. Returns the URL of the callback. */
async function enter(address: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  let body: URLSearchParams | null = null;
  while (url.origin !== APP) {
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const method = body === null ? "GET" : "POST";
    const response: Response = await fetch(url, { method, body, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("Location");
    if (location === null && body !== null) throw new Error(`no redirect but ${response.status}`);
    body = location === null ? new URLSearchParams({ login }) : null;
    url = new URL(location ?? url, url);
  }
  return url;
}

/** Returns the reason of a failed sign-in. */
function readReason(signingIn: Promise<unknown>): Promise<SignInReason> {
  return signingIn.then(
    () => expect.fail("the sign-in did not fail"),
    (error: SignInError) => error.reason,
  );
}

async function signIn(login: string): Promise<ProvedIdentity> {
  const { address, transaction } = await begin();
  return finishAtProvider(getContext(), (await enter(address, login)).searchParams, transaction);
}

test("a person is authenticated with a verified address", async () => {
  expect(await signIn("ada")).toEqual({ email: EMAIL, issuer: provider.issuer, subject: "ada" });
});

test.each<[string, SignInReason]>([
  ["unverified", "unverified_email"],
  ["nameless", "no_email"],
  ["", "declined"],
])("%j is refused: %s", async (login, reason) => {
  expect(await readReason(signIn(login))).toBe(reason);
});

test("an expired code is stale", async () => {
  const { address, transaction } = await begin();
  const { searchParams } = await enter(address, "ada");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * MINUTE_MS });
  expect(await readReason(finishAtProvider(getContext(), searchParams, transaction))).toBe("stale");
});

test("a used code is stale", async () => {
  const { address, transaction } = await begin();
  const { searchParams } = await enter(address, "ada");
  const finish = () => finishAtProvider(getContext(), searchParams, transaction);
  await finish();
  expect(await readReason(finish())).toBe("stale");
});

test("a token with another nonce is unusable", async () => {
  const { address, transaction } = await begin();
  const { searchParams } = await enter(address, "ada");
  const other = { ...transaction, nonce: "another" };
  expect(await readReason(finishAtProvider(getContext(), searchParams, other))).toBe("unusable");
});

test("a provider that fails during the sign-in is unavailable", async () => {
  provider.beforeToken = (request) => void request.destroy();
  expect(await readReason(signIn("ada"))).toBe("unavailable");
});

test("a provider that is down is unavailable", async () => {
  const other = new NodeIdentityProvider();
  await other.listen();
  other.isDown = true;
  expect(await readReason(begin(other)).finally(() => other.stop())).toBe("unavailable");
});

test("a provider that requires pushed authorization requests authenticates a person", async () => {
  const pushed = new NodeIdentityProvider();
  await pushed.listen();
  try {
    await pushed.register(APP, { requiresPush: true });
    pushed.accounts.set("ada", { email: EMAIL, email_verified: true });
    const { address, transaction } = await begin(pushed);
    const { searchParams } = await enter(address, "ada");
    const identity = await finishAtProvider(getContext(pushed), searchParams, transaction);
    expect(identity).toEqual({ email: EMAIL, issuer: pushed.issuer, subject: "ada" });

    // Proves that this provider rejects requests that weren't pushed.
    const unpushed = new URL(address);
    unpushed.searchParams.delete("request_uri");
    unpushed.searchParams.set("redirect_uri", `${APP}/sign-in/callback`);
    unpushed.searchParams.set("response_type", "code");
    expect((await enter(unpushed.href, "ada")).searchParams.get("error")).toBe("invalid_request");
  } finally {
    pushed.stop();
  }
});
