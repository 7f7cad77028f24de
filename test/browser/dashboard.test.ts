import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectFitsPhone } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Shell and links of the dashboard in a browser, with the service of `npm run dev` and its sign-in link. */

describe.skipIf(!hasChromium("the dashboard in a browser"))("the dashboard in a browser", () => {
  const dashboard = useDashboard();
  const { app, open } = dashboard;
  let context: BrowserContext;
  let page: Page;
  beforeAll(() => {
    ({ context, page } = dashboard);
  });

  test("a link is created, corrected and found by keyboard alone", async () => {
    await open("/links");
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New link" });
    await dialog.waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("url");
    await page.keyboard.type("not an address");
    await page.keyboard.press("Tab");
    await page.keyboard.type("keyboard");
    await dialog.getByRole("img", { name: /QR code of .*\/keyboard$/ }).waitFor();
    dashboard.expected = /400/;
    await page.keyboard.press("Enter");
    const destination = dialog.getByRole("textbox", { name: "Destination" });
    await expect.poll(() => destination.getAttribute("aria-invalid")).toBe("true");
    // The input is kept, and the focus is on the field to correct.
    expect(await destination.inputValue()).toBe("not an address");
    expect(await destination.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(
      true,
    );
    await expectAccessible(page, ["dialog[open]"]);
    await destination.fill("shop.example.com/summer");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "/keyboard" }).waitFor();
    expect(new URL(page.url()).searchParams.get("link")).toMatch(/^[0-9a-f-]{36}$/);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("keyb");
    await expect.poll(() => new URL(page.url()).searchParams.get("search")).toBe("keyb");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    const found = page.getByRole("button", { name: "/keyboard", exact: true });
    await found.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "/keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    // The focus is back on the row.
    await expect
      .poll(() => found.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
  });

  test("menus and dialogs restore the focus, and ? lists the keys", async () => {
    await open("/links");
    const trigger = page.getByRole("button", { name: /Demo owner|owner@/ }).first();
    await trigger.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await expectAccessible(page, ["[role=menu]"]);
    await page.keyboard.press("Escape");
    await expect
      .poll(() => trigger.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Go to Links").waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.goto(app("/nothing-here"));
    await page.getByRole("heading", { name: "Not found", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
  });

  test("on a phone, the settings and a new link are reached by touch, through the drawer", async () => {
    const small = await dashboard.openPhone();
    await open("/links", small);
    await small.getByRole("button", { name: "Menu", exact: true }).tap();
    await small.getByRole("dialog").getByRole("link", { name: "Links" }).waitFor();
    await expectFitsPhone(small);
    await small.getByRole("dialog").getByRole("link", { name: "Settings" }).tap();
    await small.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Sessions" }).tap();
    await expect.poll(() => small.url()).toBe(app("/settings/sessions"));
    await small.getByRole("button", { name: "Menu", exact: true }).tap();
    await small.getByRole("dialog").getByRole("link", { name: "Links" }).tap();
    await small.getByRole("button", { name: "Create link" }).first().tap();
    const dialog = small.getByRole("dialog", { name: "New link" });
    await dialog.getByRole("textbox", { name: "Destination" }).fill("https://example.com/phone");
    await dialog.getByRole("button", { name: "Create link" }).tap();
    await small
      .getByRole("dialog")
      .getByRole("img", { name: /QR code of http/ })
      .waitFor();
  });

  test("the chosen theme is remembered", async () => {
    await open("/links");
    await page
      .getByRole("button", { name: /Demo owner|owner@/ })
      .first()
      .click();
    await page.getByRole("menuitemradio", { name: "Dark theme" }).click();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await open("/links");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page
      .getByRole("button", { name: /Demo owner|owner@/ })
      .first()
      .click();
    await page.getByRole("menuitemradio", { name: "System theme" }).click();
  });

  test("a passkey that the overview offers signs in without an email address, until it is removed", async () => {
    const authenticator = await context.newCDPSession(page);
    await authenticator.send("WebAuthn.enable");
    await authenticator.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    const cookies = await context.cookies();
    await open("/overview");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await dashboard.toast("Passkey added").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Not now" }).count()).toBe(0);

    await open("/settings/sessions");
    await page.getByRole("button", { name: /^Rename / }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("My laptop");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await page.getByText("My laptop", { exact: true }).waitFor();

    await context.clearCookies();
    await page.goto(app("/sign-in"));
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await open("/settings/sessions");
    await page.getByRole("button", { name: "Remove My laptop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove passkey" }).click();
    await page.getByText("My laptop", { exact: true }).waitFor({ state: "detached" });

    await context.clearCookies();
    dashboard.expected = /403/;
    await page.goto(app("/sign-in"));
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("The passkey could not be used.").waitFor();
    await context.addCookies(cookies);
    await authenticator.detach();
  });

  test("an expired session redirects to the sign-in, and so does signing out", async () => {
    dashboard.expected = /401/;
    await context.route(/\/v1\/links\?/, (route) =>
      route.fulfill({ status: 401, json: { error: { code: "INVALID_SESSION", message: "No." }, meta: {} } }),
    );
    await page.goto(app("/links?search=keep"));
    await page.waitForURL(/\/sign-in$/);
    await context.unrouteAll();
    // Back at the start, the URL is the previous one.
    await page.goto(app("/"));
    await page.waitForURL(/\/links\?search=keep$/);
    await page
      .getByRole("button", { name: /Demo owner|owner@/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in$/);
    await page.goto(app("/links"));
    await page.waitForURL(/\/sign-in$/);
  });
});
