import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectFitsPhone } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { type OpenDashboard, useDashboard } from "./support/dashboard.ts";

/** Bio pages in the dashboard: list, starters and editor. */

/** Waits for an effect, also on a busy machine. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 15_000 });

const PREVIEW = "iframe[title='Page preview']";

describe.skipIf(!hasChromium("bio pages in the dashboard"))("bio pages in the dashboard", () => {
  const dashboard: OpenDashboard = useDashboard();
  const { service, open, toast } = dashboard;
  let page: Page;
  let cafeId = "";

  /** Creates a page through the API and returns its id. */
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

  /**
   * Reads the preview from the dashboard, which has the same origin. A debugger inside the preview would
   * count as a script.
   */
  function inPreview<Value>(expression: string, on = page): Promise<Value> {
    return on.evaluate(
      `{ const frame = document.querySelector(${JSON.stringify(PREVIEW)}); const shown = frame.contentDocument; ${expression} }`,
    );
  }

  const listShown = (on = page) =>
    inPreview<string[]>("[...shown.querySelectorAll('.link')].map((link) => link.textContent)", on);

  async function openEditor(id: string, query = ""): Promise<void> {
    await page.goto(dashboard.app(`/pages/${id}${query}`));
    await page.locator("[data-device] [data-shown]").waitFor();
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

  test("a page is created from a starter, changed, saved and published by keyboard alone", async () => {
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
    await soon(() => dialog.locator("[data-shown]").count()).toBeGreaterThan(3);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    // The slug of the other page is reported at its field, and the input is kept.
    dashboard.expected = /409/;
    await dialog.getByText("is already used by another bio page.").waitFor();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("night-ferry");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Night Ferry", level: 1 }).waitFor();
    await page.locator("[data-device] [data-shown]").waitFor();

    const title = page.getByRole("textbox", { name: "Title" });
    await title.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" <3");
    await page.getByRole("button", { name: "Add link" }).press("Enter");
    // A button also has an empty value.
    const isInField = "document.activeElement.matches('input') && document.activeElement.value === ''";
    await soon(() => page.evaluate(isInField)).toBe(true);
    await page.keyboard.type("Merch");
    await page.keyboard.press("Tab");
    await page.keyboard.type("example.com/merch");
    // The next block opens instead, and this is undone.
    await page.getByRole("button", { name: "Add heading" }).press("Enter");
    await page.getByRole("textbox", { name: "Heading" }).waitFor();
    await page.keyboard.press("ControlOrMeta+Z");
    await soon(async () => (await listShown()).at(-1)).toBe("Merch");
    await page.keyboard.press("ControlOrMeta+S");
    await toast("Saved").waitFor();
    await page.getByRole("button", { name: "Publish" }).press("Enter");
    await toast(" published").waitFor();
    const served = await (await service.visit("bio.localhost", "/night-ferry")).text();
    expect(served).toContain("Merch");
    await expectSameAs(served);
  });

  /** Expects the preview's elements and styles to equal the served page's. */
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
    // The colour scheme is forced, so only rules about it may differ.
    const isPlain = (rule: string) => !/^@media (?:\(prefers-color-scheme|all|not all)|^:root/.test(rule);
    expect(result.rules[0]?.filter(isPlain)).toEqual(result.rules[1]?.filter(isPlain));
  }

  test("links are reordered, and every step can be undone", async () => {
    await openEditor(cafeId, "?block=0");
    const handle = page.getByRole("button", { name: "Move Menu" });
    await handle.focus();
    await page.keyboard.press("End");
    await soon(() => listShown()).toEqual(["Reserve", "Menu"]);
    // The open block stays open, and the URL follows.
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
    await toast(" removed").getByRole("button", { name: "Undo" }).click();
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

  test("changes survive leaving the screen and a reload", async () => {
    await openEditor(cafeId);
    await page.getByRole("textbox", { name: "Title" }).fill("Café Marlene & Co");
    await page.getByRole("link", { name: "Bio pages" }).first().click();
    await toast("Not saved. Your changes are still here.")
      .getByRole("button", { name: "Continue editing" })
      .click();
    await page.getByRole("heading", { name: "Café Marlene & Co" }).waitFor();
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole("heading", { name: "Café Marlene & Co" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await toast("Saved").waitFor();
    expect((await readPage(cafeId)).title).toBe("Café Marlene & Co");
  });

  test("clicking in the preview opens the clicked part; the preview has looks, sizes and times, and no script", async () => {
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
    await page.getByLabel("Preview at").fill("2099-06-01T10:00");
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

  test("a phone shows either the form or the preview", async () => {
    const small = await dashboard.openPhone();
    await open(`/pages/${cafeId}`, small);
    await small.getByRole("button", { name: /^Reserve/ }).tap();
    const label = small.getByRole("textbox", { name: "Label" });
    await label.fill("Reserve a table");
    await small.getByRole("radio", { name: "Preview" }).check();
    await small.locator("[data-device]").waitFor();
    expect(await label.isVisible()).toBe(false);
    await soon(() => listShown(small)).toContain("Reserve a table");
    await expectFitsPhone(small);
  });
});
