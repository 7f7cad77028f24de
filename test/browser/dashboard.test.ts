import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectNoSidewaysScrolling } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Shell and links of the dashboard as people use them, with the service of `npm run dev` and its sign-in link. */

describe.skipIf(!hasChromium("the dashboard in a browser"))("the dashboard in a browser", () => {
  const dashboard = useDashboard();
  const { service, app, open, picture, toast } = dashboard;
  let context: BrowserContext;
  let page: Page;
  beforeAll(() => {
    ({ context, page } = dashboard);
  });

  async function createLink(body: Record<string, unknown>): Promise<string> {
    const { data } = await service.client.POST("/v1/links", { body: body as { url: string } });
    return data?.data.id ?? "";
  }

  test("an empty workspace teaches with an example", async () => {
    await open("/links");
    await expectAccessible(page);
    await picture("links-empty");
    await page.getByRole("button", { name: "Try it with an example" }).click();
    await page
      .getByRole("dialog")
      .getByRole("img", { name: /QR code of http/ })
      .waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "An example: what a signpost is" }).waitFor();
  });

  test("the keyboard alone creates a link, corrects it, and finds it", async () => {
    await open("/links");
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New link" });
    await dialog.waitFor();
    expect(await page.evaluate("document.activeElement.type")).toBe("url");
    await page.keyboard.type("not an address");
    await page.keyboard.press("Tab");
    await page.keyboard.type("keyboard");
    await dialog.getByRole("img", { name: /QR code of .*\/keyboard$/ }).waitFor();
    dashboard.expected = /400/;
    await page.keyboard.press("Enter");
    const destination = dialog.getByRole("textbox", { name: "Destination" });
    await expect.poll(() => destination.getAttribute("aria-invalid")).toBe("true");
    // What was typed is there, and the focus is where it has to be corrected.
    expect(await destination.inputValue()).toBe("not an address");
    expect(await destination.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(
      true,
    );
    await expectAccessible(page);
    await picture("link-fault");
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
    // The focus is back at the row.
    await expect
      .poll(() => found.evaluate((element) => element === element.ownerDocument.activeElement))
      .toBe(true);
  });

  test("the panel writes campaign parameters into the destination and keeps what was not saved", async () => {
    const id = await createLink({
      url: "https://shop.example.com/?a=1",
      custom_slug: "campaign",
      title: "Campaign",
    });
    await open(`/links?link=${id}`);
    const dialog = page.getByRole("dialog", { name: "Campaign" });
    await dialog.locator("summary", { hasText: "Campaign" }).click();
    await dialog.getByRole("textbox", { name: "Source" }).fill("flyer");
    const destination = dialog.getByRole("textbox", { name: "Destination" });
    expect(await destination.inputValue()).toBe("https://shop.example.com/?a=1&utm_source=flyer");
    await picture("link-panel");
    await page.keyboard.press("Escape");
    await toast("Not saved").getByRole("button", { name: "Go on" }).click();
    expect(await destination.inputValue()).toBe("https://shop.example.com/?a=1&utm_source=flyer");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => toast("Saved").count()).toBe(1);
    const { data } = await service.client.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } });
    expect(data?.data.destination).toBe("https://shop.example.com/?a=1&utm_source=flyer");
  });

  test("commands for many links can be undone, and a deletion asks", async () => {
    for (const slug of ["many-1", "many-2", "many-3"])
      await createLink({ url: "https://example.com/", custom_slug: slug });
    await open("/links?search=many-");
    await expect.poll(() => page.getByRole("row").count()).toBe(4);
    await page.getByRole("checkbox", { name: "Select many-3" }).click();
    await page.getByRole("checkbox", { name: "Select many-1" }).click({ modifiers: ["Shift"] });
    const bar = page.getByRole("region", { name: "Selected links" });
    await bar.getByText("3 selected").waitFor();
    await expectAccessible(page);
    await picture("links-selected");
    await bar.getByRole("button", { name: "Disable" }).click();
    await toast("3 links disabled").getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(() => page.getByText("Disabled", { exact: true }).and(page.locator(".badge *")).count())
      .toBe(0);
    await page.getByRole("checkbox", { name: "Select all rows" }).click();
    await bar.getByRole("button", { name: "More commands" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 3 links?" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Delete 3 links" }).click();
    await page.getByRole("heading", { name: "No link fits" }).waitFor();
    await picture("links-none-fit");
  });

  test("a deletion of one link can be undone", async () => {
    await createLink({ url: "https://example.com/", custom_slug: "gone" });
    await open("/links?search=gone");
    const row = page.getByRole("row", { name: /gone/ });
    await row.getByRole("button", { name: "Commands for gone" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
    await toast("/gone is deleted").getByRole("button", { name: "Undo" }).click();
    await row.waitFor();
  });

  test("the menu of a link leads to its scans and to its QR code", async () => {
    const id = await createLink({ url: "https://example.com/", custom_slug: "leads" });
    for (const [command, path] of [
      ["Statistics", `/links/${id}`],
      ["Design QR code", `/qr?link=${id}`],
    ] as const) {
      await open("/links?search=leads");
      await page.getByRole("button", { name: "Commands for leads" }).click();
      await page.getByRole("menuitem", { name: command }).click();
      await page.waitForURL(app(path));
    }
  });

  test("menus and dialogs give the focus back, and ? lists the keys", async () => {
    await open("/links");
    const trigger = page.getByRole("button", { name: /Demo owner|owner@/ }).first();
    await trigger.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menu").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    expect(await trigger.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Go to Links").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.goto(app("/nothing-here"));
    await page.getByRole("heading", { name: "Not found", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
  });

  test.each(["light", "dark"] as const)(
    "the screens and components have no violation in %s",
    async (theme) => {
      await page.emulateMedia({ colorScheme: theme });
      for (const path of ["/links", "/components", "/nothing-here"]) {
        await open(path);
        await expectAccessible(page);
        await picture(`${path.slice(1)}-${theme}`);
      }
      await page.emulateMedia({ colorScheme: null });
    },
  );

  test("a phone has cards, a drawer, and no sideways scrolling", async () => {
    const small = await dashboard.openPhone();
    await open("/links", small);
    await expectAccessible(small);
    await expectNoSidewaysScrolling(small);
    await picture("links-phone", small);
    await small.getByRole("button", { name: "Menu", exact: true }).tap();
    await small.getByRole("dialog").getByRole("link", { name: "Links" }).waitFor();
    await expectAccessible(small);
    await picture("drawer-phone", small);
    await small.getByRole("button", { name: "Close" }).tap();
    await small.getByRole("button", { name: "Create link" }).first().tap();
    const dialog = small.getByRole("dialog", { name: "New link" });
    await dialog.getByRole("textbox", { name: "Destination" }).fill("https://example.com/phone");
    await dialog.getByRole("button", { name: "Create link" }).tap();
    await small
      .getByRole("dialog")
      .getByRole("img", { name: /QR code of http/ })
      .waitFor();
    await expectAccessible(small);
    await expectNoSidewaysScrolling(small);
    await picture("link-phone", small);
    await open("/components", small);
    await expectNoSidewaysScrolling(small);
    await expectAccessible(small);
    await small.context().close();
  });

  /** Makes the list of links fail. */
  async function failLists(
    status: number,
    code: string,
    headers: Record<string, string> = {},
  ): Promise<void> {
    dashboard.expected = new RegExp(String(status));
    await context.route(/\/v1\/links\?/, (route) =>
      route.fulfill({
        status,
        headers,
        json: {
          error: { code, message: `Told by the service: ${code}.`, status },
          meta: { request_id: "request-7" },
        },
      }),
    );
  }

  test("a failure tells its request and is tried again", async () => {
    await failLists(500, "INTERNAL_ERROR");
    await page.goto(app("/links"));
    await page.getByText("Request request-7").waitFor();
    await expectAccessible(page);
    await picture("links-failed");
    await context.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("row").nth(1).waitFor();
  });

  test("a limit counts down", async () => {
    await failLists(429, "BURST_LIMIT_EXCEEDED", { "Retry-After": "2" });
    await page.goto(app("/links"));
    const retry = page.getByRole("button", { name: /Try again/ });
    await expect.poll(() => retry.textContent()).toMatch(/^Try again in \d s$/);
    expect(await retry.getAttribute("aria-disabled")).toBe("true");
    await context.unrouteAll();
    await expect.poll(() => retry.textContent(), { timeout: 10_000 }).toBe("Try again");
    await retry.click();
    await page.getByRole("row").nth(1).waitFor();
  });

  test("being offline is told", async () => {
    await open("/links");
    await context.setOffline(true);
    await page.getByText("You are offline").waitFor();
    await expectAccessible(page);
    await context.setOffline(false);
    await page.getByText("You are offline").waitFor({ state: "detached" });
  });

  test("somebody without a membership is told so", async () => {
    dashboard.expected = /403/;
    await context.route(/\/v1\/session$/, (route) =>
      route.fulfill({ status: 403, json: { error: { code: "NOT_A_MEMBER", message: "No." }, meta: {} } }),
    );
    await page.goto(app("/links"));
    await page.getByRole("heading", { name: "No workspace", level: 1 }).waitFor();
    await expectAccessible(page);
  });

  test("the theme that was chosen stays", async () => {
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
    await page.getByRole("menuitemradio", { name: "Theme of the system" }).click();
  });

  test("an expired session leads to the sign-in, and signing out too", async () => {
    dashboard.expected = /401/;
    await context.route(/\/v1\/links\?/, (route) =>
      route.fulfill({ status: 401, json: { error: { code: "INVALID_SESSION", message: "No." }, meta: {} } }),
    );
    await page.goto(app("/links?search=keep"));
    await page.waitForURL(/\/sign-in$/);
    await context.unrouteAll();
    // Back at the start, the address is the one from before.
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
