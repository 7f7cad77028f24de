import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  expectAccessible,
  expectAccessibleLook,
  expectNoSidewaysScrolling,
} from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { type OpenDashboard, useDashboard } from "./support/dashboard.ts";

/** Bio pages in the dashboard: list, starters and editor, as people use them. */

/** Waits for what follows soon, also on a busy machine. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 15_000 });

const PREVIEW = "iframe[title='Preview of the page']";

describe.skipIf(!hasChromium("bio pages in the dashboard"))("bio pages in the dashboard", () => {
  const dashboard: OpenDashboard = useDashboard();
  const { service, open, picture, toast } = dashboard;
  let page: Page;
  let cafeId = "";

  /** Creates a page over the API and returns its id. */
  async function createPage(title: string, page_data: Record<string, unknown> = {}): Promise<string> {
    const { data } = await service.client.POST("/v1/bio/pages", { body: { title, page_data } });
    return data?.data.id ?? "";
  }

  async function readPage(id: string) {
    const { data } = await service.client.GET("/v1/bio/pages/{page_id}", {
      params: { path: { page_id: id } },
    });
    return data?.data as NonNullable<typeof data>["data"];
  }

  /** Reads the preview from the dashboard, whose origin it has. A debugger inside would be a script. */
  function inPreview<Value>(expression: string, on = page): Promise<Value> {
    return on.evaluate(
      `{ const frame = document.querySelector(${JSON.stringify(PREVIEW)}); const shown = frame.contentDocument; ${expression} }`,
    );
  }

  const listShown = (on = page) =>
    inPreview<string[]>("[...shown.querySelectorAll('.link')].map((link) => link.textContent)", on);

  async function openEditor(id: string, query = ""): Promise<void> {
    await page.goto(dashboard.app(`/pages/${id}${query}`));
    await page.locator(".device .page-frame[data-shown]").waitFor();
    await soon(() => page.locator("main [aria-busy=true]").count()).toBe(0);
  }

  beforeAll(async () => {
    page = dashboard.page;
    cafeId = await createPage("Café Marlene", {
      theme: "sunrise",
      avatar_url: `${service.url.replace("localhost", "cdn.localhost")}/none.png`,
      links: [
        { label: "Menu", url: "https://example.com/menu", highlight: true },
        { label: "Visit", type: "heading" },
        { label: "Reserve", url: "https://example.com/reserve", ends_at: "2099-01-01T00:00:00Z" },
      ],
      socials: [{ network: "instagram", url: "https://www.instagram.com/marlene" }],
      own: { kept: true },
    });
  });

  test("a page is made from a starter, changed, saved and published by keyboard alone", async () => {
    await open("/pages");
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New bio page" });
    await dialog.getByRole("textbox", { name: "Title" }).waitFor();
    await page.keyboard.type("Night Ferry");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Cafe Marlene");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await soon(() => page.url()).toMatch(/new=musician$/);
    await soon(() => dialog.locator(".page-frame[data-shown]").count()).toBeGreaterThan(3);
    await expectAccessible(page);
    await picture("pages-new");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    // The address of the other page is told at its field, and what was typed is kept.
    dashboard.expected = /409/;
    await dialog.getByText("Another page has this address.").waitFor();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("night-ferry");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Night Ferry", level: 1 }).waitFor();
    await page.locator(".device .page-frame[data-shown]").waitFor();

    const title = page.getByRole("textbox", { name: "Title" });
    await title.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" <3");
    await page.getByRole("button", { name: "Add link" }).press("Enter");
    // A button has an empty value, too.
    const isInField = "document.activeElement.matches('input') && document.activeElement.value === ''";
    await soon(() => page.evaluate(isInField)).toBe(true);
    await page.keyboard.type("Merch");
    await page.keyboard.press("Tab");
    await page.keyboard.type("example.com/merch");
    // The next one opens instead of it, and is taken back.
    await page.getByRole("button", { name: "Add heading" }).press("Enter");
    await page.getByRole("textbox", { name: "Heading" }).waitFor();
    await page.keyboard.press("ControlOrMeta+Z");
    await soon(async () => (await listShown()).at(-1)).toBe("Merch");
    await page.keyboard.press("ControlOrMeta+S");
    await toast("Saved").waitFor();
    await page.getByRole("button", { name: "Publish" }).press("Enter");
    await toast("is public").waitFor();
    const served = await (await service.visit("bio.localhost", "/night-ferry")).text();
    expect(served).toContain("Merch");
    await expectSameAs(served);
  });

  /** Expects elements and style of the preview to be those of the served page. */
  async function expectSameAs(served: string): Promise<void> {
    const [, css = ""] = /<style>(.*?)<\/style>/s.exec(served) ?? [];
    await page
      .getByRole("radio", { name: "Content" })
      .or(page.getByRole("tab", { name: "Content" }))
      .waitFor();
    const result = await page.evaluate(
      ({ served, css, selector }) => {
        const scope = globalThis as unknown as {
          document: { querySelector(selector: string): { contentDocument: FrameDocument } };
          DOMParser: new () => { parseFromString(text: string, type: string): FrameDocument };
          CSSStyleSheet: new () => {
            replaceSync(text: string): void;
            cssRules: Iterable<{ cssText: string }>;
          };
        };
        interface FrameDocument {
          documentElement: { outerHTML: string };
          adoptedStyleSheets: { cssRules: Iterable<{ cssText: string }> }[];
        }
        const shown = scope.document.querySelector(selector).contentDocument;
        const parsed = new scope.DOMParser().parseFromString(
          served.replace(`<style>${css}</style>`, ""),
          "text/html",
        );
        const sheet = new scope.CSSStyleSheet();
        sheet.replaceSync(css);
        const list = (rules: Iterable<{ cssText: string }>) => [...rules].map(({ cssText }) => cssText);
        return {
          html: [shown.documentElement.outerHTML, parsed.documentElement.outerHTML],
          rules: [list(shown.adoptedStyleSheets[0]?.cssRules ?? []), list(sheet.cssRules)],
        };
      },
      { served, css, selector: PREVIEW },
    );
    expect(result.html[0]).toBe(result.html[1]);
    // The scheme is forced: only the rules about it may differ.
    const isPlain = (rule: string) => !/^@media (?:\(prefers-color-scheme|all|not all)|^:root/.test(rule);
    expect(result.rules[0]?.filter(isPlain)).toEqual(result.rules[1]?.filter(isPlain));
  }

  test("links are put in order, and every step can be undone", async () => {
    await openEditor(cafeId, "?block=0");
    const handle = page.getByRole("button", { name: "Move Menu" });
    await handle.focus();
    await page.keyboard.press("End");
    await soon(() => listShown()).toEqual(["Reserve", "Menu"]);
    // The open block stays open, and the address follows.
    await soon(() => page.url()).toMatch(/block=2$/);
    await page.getByRole("textbox", { name: "Label" }).fill("Today’s menu");
    await soon(() => listShown()).toEqual(["Reserve", "Today’s menu"]);
    await page.keyboard.press("ControlOrMeta+Z");
    await page.keyboard.press("ControlOrMeta+Z");
    await soon(() => listShown()).toEqual(["Menu", "Reserve"]);
    await page.keyboard.press("ControlOrMeta+Shift+Z");
    await soon(() => listShown()).toEqual(["Reserve", "Menu"]);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await soon(() => listShown()).toEqual(["Reserve"]);
    await toast("is removed").getByRole("button", { name: "Undo" }).click();
    await soon(() => listShown()).toEqual(["Reserve", "Menu"]);
    await page.keyboard.press("ControlOrMeta+S");
    await toast("Saved").waitFor();
    const { page_data } = await readPage(cafeId);
    expect((page_data.links as { label: string }[]).map(({ label }) => label)).toEqual([
      "Visit",
      "Reserve",
      "Menu",
    ]);
    expect(page_data.own).toEqual({ kept: true });
  });

  test("faults stand at the fields, in the tab that has them", async () => {
    await openEditor(cafeId, "?tab=design");
    const text = page.getByRole("textbox", { name: "Text", exact: true });
    await page.getByRole("textbox", { name: "Background", exact: true }).fill("fff");
    await text.fill("#bbbbbb");
    await page.getByText("Must have a contrast of at least 4.5").waitFor();
    await expectAccessible(page);
    await picture("page-colours");
    dashboard.expected = /400/;
    await page.getByRole("tab", { name: "Content" }).click();
    await page.getByRole("button", { name: /^Reserve/ }).click();
    await page.getByRole("textbox", { name: "Address" }).fill("no address");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be an http, https, mailto or tel URL.").waitFor();
    await page.getByRole("tab", { name: "Design (1 to correct)" }).waitFor();
    await soon(() => page.evaluate("document.activeElement.value")).toBe("no address");
    await expectAccessible(page);
    await picture("page-faults");
    await page.getByRole("button", { name: "Commands for this page" }).click();
    await page.getByRole("menuitem", { name: "Discard changes" }).click();
    await soon(() => page.getByRole("button", { name: "Saved" }).count()).toBe(1);
  });

  test("changes outlive the screen and a reload", async () => {
    await openEditor(cafeId);
    await page.getByRole("textbox", { name: "Title" }).fill("Café Marlene & Co");
    await page.getByRole("link", { name: "Bio pages" }).first().click();
    await toast("Not saved. Your changes are kept.").getByRole("button", { name: "Go on" }).click();
    await page.getByRole("heading", { name: "Café Marlene & Co" }).waitFor();
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole("heading", { name: "Café Marlene & Co" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await toast("Saved").waitFor();
    expect((await readPage(cafeId)).title).toBe("Café Marlene & Co");
  });

  test("a click in the preview opens what was clicked; the preview has looks, sizes and times, and no script", async () => {
    await openEditor(cafeId);
    const { x, y } = await inPreview<{ x: number; y: number }>(
      "const box = frame.getBoundingClientRect(); const place = shown.querySelector('a.link').getBoundingClientRect(); const scale = box.width / frame.offsetWidth; ({ x: box.x + (place.x + 20) * scale, y: box.y + (place.y + 20) * scale })",
    );
    const [first] = await listShown();
    await page.mouse.click(x, y);
    await soon(() => page.evaluate("document.activeElement.value")).toBe(first);
    const readInk = () => inPreview<string>("frame.contentWindow.getComputedStyle(shown.body).color");
    const light = await readInk();
    await page.getByRole("radio", { name: "Dark" }).check();
    await soon(readInk).not.toBe(light);
    await page.getByRole("radio", { name: "Desktop" }).check();
    await soon(() => inPreview("frame.contentWindow.innerWidth")).toBe(1_280);
    await picture("page-desktop");
    await page.getByLabel("As seen at").fill("2099-06-01T10:00");
    await soon(() => listShown()).toEqual(["Menu"]);
    expect(new URL(page.url()).search).toMatch(
      /^\?block=\d&scheme=dark&device=desktop&at=2099-06-01T10%3A00$/,
    );

    dashboard.expected = /Blocked script execution|Content Security Policy|violates/;
    await inPreview(
      "const script = shown.createElement('script'); script.textContent = 'parent.hacked = true'; shown.body.append(script); const picture = shown.createElement('img'); picture.setAttribute('onerror', 'parent.hacked = true'); picture.src = 'data:,'; shown.body.append(picture)",
    );
    expect(await page.evaluate("window.hacked")).toBeUndefined();
  });

  test.each(["light", "dark"] as const)("list, editor and dialogs have no violation in %s", async (theme) => {
    await page.emulateMedia({ colorScheme: theme });
    // Everything but colours and sizes is the same in both.
    const expectFine = theme === "light" ? expectAccessible : expectAccessibleLook;
    await open("/pages");
    await page.locator(".page-frame[data-shown]").first().waitFor();
    await expectFine(page);
    await picture(`pages-${theme}`);
    for (const tab of ["content", "design", "sharing", "visits"]) {
      await openEditor(cafeId, tab === "content" ? "?block=1" : `?tab=${tab}`);
      await expectFine(page);
      await picture(`page-${tab}-${theme}`);
    }
    await page.emulateMedia({ colorScheme: null });
  });

  test("a page is duplicated, and a deletion can be undone", async () => {
    await open("/pages");
    const cards = page.locator(".page-card");
    const count = await cards.count();
    const openMenu = () =>
      page
        .getByRole("button", { name: /^Commands for Night Ferry/ })
        .first()
        .click();
    await openMenu();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await soon(() => cards.count()).toBe(count + 1);
    await openMenu();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await soon(() => cards.count()).toBe(count);
    await toast("is deleted").getByRole("button", { name: "Undo" }).click();
    await soon(() => cards.count()).toBe(count + 1);
  });

  test("viewers see pages without commands, and nobody an empty list without a way on", async () => {
    const session = await page.evaluate<{ data: { workspaces: { role: string }[] } }>(
      "fetch('/v1/session').then((response) => response.json())",
    );
    for (const workspace of session.data.workspaces) workspace.role = "viewer";
    await dashboard.context.route(/\/v1\/session$/, (route) => route.fulfill({ json: session }));
    await openEditor(cafeId);
    expect(await page.getByRole("button", { name: /Save|Publish|Add link|Undo/ }).count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Title" }).isDisabled()).toBe(true);
    await open("/pages");
    expect(await page.getByRole("button", { name: /Create/ }).count()).toBe(0);
    await dashboard.context.unrouteAll();
    await dashboard.context.route(/\/v1\/bio\/pages\?/, (route) =>
      route.fulfill({
        json: { data: [], meta: { request_id: "request-7", total: 0, limit: 24, offset: 0 } },
      }),
    );
    await open("/pages");
    await page.getByRole("button", { name: "Create your first page" }).waitFor();
    await expectAccessible(page);
    await picture("pages-empty");
    dashboard.expected = /404/;
    await open("/pages/unknown");
    await page.getByRole("link", { name: "Go to your pages" }).waitFor();
  });

  test("a phone has form and preview one at a time", async () => {
    const small = await dashboard.openPhone();
    await open("/pages", small);
    await expectNoSidewaysScrolling(small);
    await expectAccessible(small);
    await picture("pages-phone", small);
    await small.getByRole("link", { name: "Café Marlene" }).first().tap();
    await small.getByRole("button", { name: /^Reserve/ }).tap();
    const label = small.getByRole("textbox", { name: "Label" });
    await label.fill("Reserve a table");
    await expectNoSidewaysScrolling(small);
    await expectAccessible(small);
    await picture("page-phone", small);
    await small.getByRole("radio", { name: "Preview" }).check();
    await small.locator(".device").waitFor();
    expect(await label.isVisible()).toBe(false);
    await soon(() => listShown(small)).toContain("Reserve a table");
    await expectNoSidewaysScrolling(small);
    await expectAccessible(small);
    await picture("page-phone-preview", small);
    await small.getByRole("button", { name: "Save" }).tap();
    await soon(() => small.getByRole("button", { name: "Saved" }).count()).toBe(1);
    await small.context().close();
  });
});
