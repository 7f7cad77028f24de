import { expect, onTestFinished, test } from "vitest";
import { beginAtProvider, finishAtProvider } from "../../src/sign-in/sign-in-at-provider.ts";
import { NodeIdentityProvider } from "../support/identity-provider.ts";

const APP = "http://app.localhost";
const EMAIL = "ada@example.com";

test("a provider that requires pushed authorization requests authenticates a person", async () => {
  const provider = new NodeIdentityProvider();
  await provider.listen();
  onTestFinished(() => provider.stop());
  await provider.register(APP, { requiresPush: true });
  provider.accounts.set("ada", { email: EMAIL, email_verified: true });
  const { OIDC_ISSUER: issuer = "", OIDC_CLIENT_ID: clientId = "", OIDC_CLIENT_SECRET } = provider.vars;
  const context = {
    provider: { issuer, clientId, clientSecret: OIDC_CLIENT_SECRET ?? null, trustedEmailDomains: [] },
    appUrl: APP,
    policy: { allowLoopback: true, isOwn: () => false },
    nowMs: Date.now(),
  };
  const begun = { returnPath: "/", sessionId: "session" };
  const { address, transaction } = await beginAtProvider(context, begun, async () => {});
  const { searchParams } = await signIn(address, "ada");
  const identity = await finishAtProvider(context, searchParams, transaction);
  expect(identity).toEqual({ email: EMAIL, issuer, subject: "ada" });

  // Proves that this provider rejects requests that weren't pushed.
  const unpushed = new URL(address);
  unpushed.searchParams.delete("request_uri");
  unpushed.searchParams.set("redirect_uri", `${APP}/sign-in/callback`);
  unpushed.searchParams.set("response_type", "code");
  expect((await signIn(unpushed.href, "ada")).searchParams.get("error")).toBe("invalid_request");
});

/** Signs in at the provider like a browser. Returns the URL of the callback. */
async function signIn(address: string, login: string): Promise<URL> {
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
