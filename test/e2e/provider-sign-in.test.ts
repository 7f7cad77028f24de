import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { useChromium } from "../browser/support/chromium.ts";
import { hasChromium } from "../support/chromium.ts";
import { NodeIdentityProvider } from "../support/identity-provider.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { useAdmin } from "./support/admin.ts";
import { useService } from "./support/service.ts";

/**
 * Sign-in in Chromium, from the service to a certified provider and back. `node/certified-provider` has the sign-ins that
 * fail there, `worker/provider-sign-in` those that the service refuses, and `browser/error-pages` checks the accessibility
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
  const chromium = useChromium();
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
  });
  afterAll(async () => {
    for (const name of Object.keys(provider.vars)) delete process.env[name];
    provider.stop();
  });
  afterEach(chromium.close);

  const title = (page: Page) => page.locator("h1").textContent();

  async function open(): Promise<Page> {
    // The pages work without scripts. With them, each return to the start page would load the whole dashboard.
    const page = await chromium.newPage({ javaScriptEnabled: IS_LONG });
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

  /** Enters a name at the provider. Returns the status of the page that it redirects to. */
  async function enter(page: Page, login: string): Promise<number> {
    const isBack = (address: string) => new URL(address).pathname === "/sign-in/callback";
    const callback = page.waitForResponse((response) => isBack(response.url()));
    await page.locator("input[name=login]").fill(login);
    await page.locator("button").click();
    const status = (await callback).status();
    await page.waitForURL((url) => url.href.startsWith(appUrl));
    return status;
  }

  async function signIn(page: Page, login: string) {
    await leave(page);
    return enter(page, login);
  }

  const findCookie = async (page: Page, name: string) =>
    (await page.context().cookies(appUrl)).find((cookie) => cookie.name === name);

  test("a member is signed in and out, here and at the provider", async () => {
    const page = await open();
    expect(await signIn(page, "ada")).toBe(303);
    await expectSignedIn(page);
    expect(await page.locator("main").textContent()).toContain("ada@example.com");
    expect(await findCookie(page, "signpost_session")).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(await findCookie(page, "signpost_sign_in")).toBeUndefined();

    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await title(page)).toBe("You're signed out");
    expect(await findCookie(page, "signpost_session")).toBeUndefined();

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
});
