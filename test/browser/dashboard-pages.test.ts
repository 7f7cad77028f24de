import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../support/chromium.ts";
import { type OpenDashboard, useDashboard } from "./support/dashboard.ts";

/** Bio pages in the dashboard: list, starters and editor. */

/** Waits for an effect, also on a busy machine. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 15_000 });

const PREVIEW = "iframe[title='Page preview']";

describe.skipIf(!hasChromium("bio pages in the dashboard"))("bio pages in the dashboard", () => {
  const dashboard: OpenDashboard = useDashboard();
  const { service, open, follow, toast } = dashboard;
  let page: Page;
  let cafeId = "";

  /**
   * Reads the preview from the dashboard, which has the same origin. A debugger inside the preview would
   * count as a script.
   */
  function inPreview<Value>(expression: string): Promise<Value> {
    return page.evaluate(
      `{ const frame = document.querySelector(${JSON.stringify(PREVIEW)}); const shown = frame.contentDocument; ${expression} }`,
    );
  }

  const listShown = () =>
    inPreview<string[]>("[...shown.querySelectorAll('.link')].map((link) => link.textContent)");

  beforeAll(async () => {
    page = dashboard.page;
    const links = [
      { label: "Menu", url: "https://example.com/menu", highlight: true },
      { label: "Visit", type: "heading" as const },
      { label: "Reserve", url: "https://example.com/reserve", ends_at: "2099-01-01T00:00:00Z" },
    ];
    const body = { title: "Café Marlene", page_data: { theme: "sunrise" as const, links } };
    const { data } = await service.client.POST("/v1/bio/pages", { body });
    cafeId = data?.data.id ?? "";
  });

  test("a page is created from a starter, changed, saved and published by keyboard alone", async () => {
    await open("/pages");
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New bio page" });
    await dialog.getByRole("textbox", { name: "Title" }).waitFor();
    await page.keyboard.type("Night Ferry");
    await page.keyboard.press("Tab");
    await page.keyboard.insertText("Cafe Marlene");
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
    await page.keyboard.insertText("night-ferry");
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
    await page.keyboard.insertText("example.com/merch");
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

  test("clicking in the preview opens the clicked part; the preview has looks, sizes and times, and no script", async () => {
    await follow(`/pages/${cafeId}`);
    await soon(listShown).toEqual(["Menu", "Reserve"]);
    const { x, y } = await inPreview<{ x: number; y: number }>(
      "const box = frame.getBoundingClientRect(); const place = shown.querySelector('a.link').getBoundingClientRect(); const scale = box.width / frame.offsetWidth; ({ x: box.x + (place.x + 20) * scale, y: box.y + (place.y + 20) * scale })",
    );
    await page.mouse.click(x, y);
    await soon(() => page.evaluate("document.activeElement.value")).toBe("Menu");
    const readInk = () => inPreview<string>("frame.contentWindow.getComputedStyle(shown.body).color");
    const light = await readInk();
    await page.getByRole("radio", { name: "Dark" }).check();
    await soon(readInk).not.toBe(light);
    await page.getByRole("radio", { name: "Desktop" }).check();
    await soon(() => inPreview("frame.contentWindow.innerWidth")).toBe(1_280);
    await page.getByLabel("Preview at").fill("2099-06-01T10:00");
    await soon(listShown).toEqual(["Menu"]);
    expect(new URL(page.url()).search).toMatch(
      /^\?block=\d&scheme=dark&device=desktop&at=2099-06-01T10%3A00$/,
    );

    dashboard.expected = /Blocked script execution|Content Security Policy|violates/;
    await inPreview(
      "const script = shown.createElement('script'); script.textContent = 'parent.hacked = true'; shown.body.append(script); const picture = shown.createElement('img'); picture.setAttribute('onerror', 'parent.hacked = true'); picture.src = 'data:,'; shown.body.append(picture)",
    );
    expect(await page.evaluate("window.hacked")).toBeUndefined();
  });
});
