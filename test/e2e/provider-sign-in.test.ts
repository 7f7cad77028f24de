import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectChromium } from "../browser/support/chromium.ts";
import { hasChromium } from "../support/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { NodeIdentityProvider } from "../support/identity-provider.ts";
import { useAdmin } from "./support/admin.ts";
import { useService } from "./support/service.ts";

/**
 * Sign-in in Chromium, from the service to a certified provider and back. `browser/error-pages` checks the accessibility
 * of the pages.
 */

const isRun = hasChromium("sign-in at an identity provider in a browser");
const provider = new NodeIdentityProvider();
if (isRun) {
  beforeAll(async () => {
    await provider.listen();
    Object.assign(process.env, provider.vars);
  });
}

describe.skipIf(!isRun)("sign-in at an identity provider in a browser", () => {
  const service = useService();
  const admin = useAdmin(service);
  let browser: Browser;
  let appUrl: string;
  /** Page that shows the signed-in person, or how to sign in. */
  let startUrl: string;

  beforeAll(async () => {
    appUrl = `http://app.localhost:${service.port}`;
    startUrl = `${appUrl}/sign-in`;
    await provider.register(appUrl);
    const member = ["--workspace", "demo", "--email", "Ada@example.com", "--name", "Ada"];
    await admin("member", "add", ...member);
    provider.accounts.set("ada", { email: "ada@EXAMPLE.com", email_verified: true });
    provider.accounts.set("unverified", { email: "ada@example.com", email_verified: false });
    provider.accounts.set("stranger", { email: "stranger@example.com", email_verified: true });
    browser = await connectChromium();
  });
  afterAll(async () => {
    await browser?.close();
    for (const name of Object.keys(provider.vars)) delete process.env[name];
    provider.stop();
  });
  afterEach(async () => {
    provider.codeSeconds = 60;
    provider.beforeToken = () => {};
    provider.isDown = false;
    await Promise.all(browser.contexts().map((context) => context.close()));
  });

  const title = (page: Page) => page.locator("h1").textContent();

  async function open(context?: BrowserContext): Promise<Page> {
    const page = await (context ?? (await browser.newContext())).newPage();
    await page.goto(startUrl);
    return page;
  }

  /** Expects the sign-in page to show that a person is signed in. */
  async function expectSignedIn(page: Page): Promise<void> {
    await page.goto(startUrl);
    expect(await title(page)).toBe("You're signed in");
  }

  /** Follows the start page's link to the provider. */
  async function leave(page: Page): Promise<void> {
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.locator("input[name=login]").waitFor();
  }

  /** Enters a name at the provider. Returns status and URL of the page that it redirects to. */
  async function enter(page: Page, login: string): Promise<{ status: number; callback: string }> {
    const isBack = (address: string) => new URL(address).pathname === "/sign-in/callback";
    const callback = page.waitForResponse((response) => isBack(response.url()));
    await page.locator("input[name=login]").fill(login);
    await page.locator("button").click();
    const response = await callback;
    await page.waitForURL((url) => url.href.startsWith(appUrl));
    return { status: response.status(), callback: response.url() };
  }

  async function signIn(page: Page, login: string) {
    await leave(page);
    return enter(page, login);
  }

  const findCookie = async (page: Page, name: string) =>
    (await page.context().cookies(appUrl)).find((cookie) => cookie.name === name);

  test("a provider that is down shows an error page until it is back", async () => {
    provider.isDown = true;
    const page = await open();
    await page.getByRole("link", { name: "Sign in" }).click();
    expect(await title(page)).toBe("Your identity provider isn't responding");
    expect(await page.context().cookies()).toEqual([]);
    provider.isDown = false;
    await eventually(
      async () => {
        await page.goto(`${appUrl}/sign-in/oidc`);
        return page.locator("input[name=login]").isVisible();
      },
      (isThere) => isThere,
    );
  });

  test("a member is signed in and out, here and at the provider, and another browser stays signed in", async () => {
    const [page, other] = [await open(), await open()];
    for (const each of [page, other]) {
      expect((await signIn(each, "ada")).status).toBe(303);
      await expectSignedIn(each);
      expect(await each.locator("main").textContent()).toContain("ada@example.com");
    }
    expect(await findCookie(page, "signpost_session")).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(await findCookie(page, "signpost_sign_in")).toBeUndefined();

    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await title(page)).toBe("You're signed out");
    expect(await findCookie(page, "signpost_session")).toBeUndefined();
    await expectSignedIn(other);

    // A person signed in at the provider need not enter a name.
    await page.getByRole("link", { name: "Sign in again" }).click();
    await page.waitForURL((url) => url.href.startsWith(appUrl) && !url.pathname.startsWith("/sign-in"));
    await expectSignedIn(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign out of identity provider" }).click();
    await page.getByRole("button", { name: "Sign out here" }).click();
    expect(await title(page)).toBe("Signed out here");
    await page.goto(startUrl);
    await leave(page);
  });

  test.each([
    ["stranger", 403, "You're not a member of any workspace"],
    ["unverified", 403, "Your email address isn't verified"],
    ["nameless", 403, "Your email address is missing"],
    ["", 403, "Sign-in cancelled"],
  ])("%j is rejected with %i: %s", async (login, status, text) => {
    const page = await open();
    expect((await signIn(page, login)).status).toBe(status);
    expect(await title(page)).toBe(text);
    expect((await page.context().cookies(appUrl)).map(({ name }) => name)).toEqual([]);
    await page.goto(startUrl);
    expect(await title(page)).toBe("Sign in");
  });

  test("a planted session is replaced by the session of the person who signs in", async () => {
    const attacker = await open();
    await signIn(attacker, "ada");
    const planted = (await findCookie(attacker, "signpost_session"))?.value ?? "";
    const page = await open();
    await page.context().addCookies([{ name: "signpost_session", value: planted, url: appUrl }]);
    await page.goto(`${appUrl}/sign-in/oidc`);
    await enter(page, "ada");
    expect((await findCookie(page, "signpost_session"))?.value).not.toBe(planted);
    expect(await title(await open(attacker.context()))).toBe("Sign in");
  });

  test("an expired code is rejected", async () => {
    provider.codeSeconds = 1;
    provider.beforeToken = () => new Promise((resolve) => setTimeout(resolve, 2_100));
    const page = await open();
    expect((await signIn(page, "ada")).status).toBe(400);
    expect(await title(page)).toBe("This sign-in has expired");
    expect(await page.context().cookies(appUrl)).toEqual([]);
  });

  test("a provider that fails during the sign-in shows an error page, and the sign-in's data is deleted", async () => {
    provider.beforeToken = (request) => void request.destroy();
    const page = await open();
    expect((await signIn(page, "ada")).status).toBe(503);
    expect(await title(page)).toBe("Your identity provider isn't responding");
    expect(await page.context().cookies(appUrl)).toEqual([]);
    provider.beforeToken = () => {};
    await page.getByRole("link", { name: "Try again" }).click();
    await page.waitForURL((url) => url.href.startsWith(appUrl) && !url.pathname.startsWith("/sign-in"));
    await expectSignedIn(page);
  });

  test("a callback that is used again is rejected, even with the sign-in's cookie", async () => {
    const page = await open();
    await leave(page);
    const cookie = await findCookie(page, "signpost_sign_in");
    const { callback } = await enter(page, "ada");
    expect((await page.goto(callback))?.status()).toBe(400);
    expect(await title(page)).toBe("This sign-in has expired");
    const thief = await browser.newContext();
    await thief.addCookies([{ name: "signpost_sign_in", value: cookie?.value ?? "", url: appUrl }]);
    expect((await (await thief.newPage()).goto(callback))?.status()).toBe(400);
    expect((await thief.cookies(appUrl)).map(({ name }) => name)).toEqual([]);
    await expectSignedIn(page);
  });

  test("a callback with another state is rejected, and the current sign-in continues", async () => {
    const page = await open();
    await leave(page);
    const tab = await page.context().newPage();
    expect((await tab.goto(`${appUrl}/sign-in/callback?code=stolen&state=another`))?.status()).toBe(400);
    expect((await enter(page, "ada")).status).toBe(303);
  });

  test("a token with another nonce starts no session", async () => {
    const page = await open();
    const begun = await service.visit(new URL(appUrl).host, "/sign-in/oidc");
    const [, value = ""] = /^signpost_sign_in=([^;]+)/.exec(begun.headers.get("Set-Cookie") ?? "") ?? [];
    await page.context().addCookies([{ name: "signpost_sign_in", value, url: appUrl }]);
    const address = new URL(begun.headers.get("Location") ?? "");
    address.searchParams.set("nonce", "another");
    await page.goto(address.href);
    expect((await enter(page, "ada")).status).toBe(502);
    expect(await title(page)).toBe("Sign-in failed");
    expect(await page.context().cookies(appUrl)).toEqual([]);
  });
});
