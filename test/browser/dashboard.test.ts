import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Shell and links of the dashboard in a browser, with the service of `npm run dev` and its sign-in link. */

describe.skipIf(!hasChromium("the dashboard in a browser"))("the dashboard in a browser", () => {
  const dashboard = useDashboard();
  const { app, open, follow } = dashboard;
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

  test("menus and dialogs restore the focus, ? lists the keys, and the chosen theme is remembered", async () => {
    await follow("/links");
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
    await trigger.click();
    await page.getByRole("menuitemradio", { name: "Dark theme" }).click();
    const readTheme = () => page.evaluate("document.documentElement.dataset.theme");
    expect(await readTheme()).toBe("dark");
    await page.goto(app("/nothing-here"));
    expect(await readTheme()).toBe("dark");
    await page.getByRole("heading", { name: "Not found", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
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
    await follow("/overview");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await dashboard.toast("Passkey added").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Not now" }).count()).toBe(0);
    await page.getByRole("button", { name: "Demo owner" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in$/);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await follow("/settings/sessions");
    const remove = page.getByRole("button", { name: /^Remove (?!passkey)/ });
    await remove.click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove passkey" }).click();
    await remove.waitFor({ state: "detached" });

    // Without its session, the next request redirects to the sign-in.
    await context.clearCookies();
    dashboard.expected = /401|403/;
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.waitForURL(/\/sign-in$/);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("The passkey could not be used.").waitFor();
    await authenticator.detach();
  });
});
