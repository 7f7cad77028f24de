import type { HTMLButtonElement, HTMLInputElement, Window } from "happy-dom";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { COLOUR_RULES, expectAccessible, expectAccessibleLook } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { renderShortReference } from "../support/reference-page.ts";
import { allowClipboard, readCopiedText } from "./support/clipboard.ts";
import { expectAtTop, PHONE, settle, useReference } from "./support/reference.ts";
import { openWindow } from "./support/reference-window.ts";

/**
 * Features of the reference page, with some of its sections. A real browser only runs the tests that need a layout, real
 * keys, or several page loads.
 */

const STORED = `svc_pk_AAAAAAAA.${"s".repeat(64)}`;
const GIVEN = `svc_pk_BBBBBBBB.${"t".repeat(64)}`;

describe("the scripts of the reference page", () => {
  describe("the filter", () => {
    let page: Window;

    beforeAll(async () => {
      const sections = [
        ...["errors", "webhook-verification", "createLink", "deleteLink", "listMembers", "listWebhooks"],
        ...["deleteWebhook", "getBreakdown", "event-link.scanned"],
      ];
      page = openWindow((await renderShortReference(sections)).html);
    });

    /** Returns the links of the entries that match a query. */
    function filter(query: string): (string | null)[] {
      const field = page.document.getElementById("filter") as HTMLInputElement;
      field.value = query;
      field.dispatchEvent(new page.Event("input"));
      const links = [...page.document.querySelectorAll("nav li:not([hidden]) a")];
      return links.map((link) => link.getAttribute("href"));
    }

    test("finds operations and guides by title, path, field, value, error code and scope", () => {
      expect(filter("workspace/members")).toEqual(["#listMembers"]);
      expect(filter("custom_slug")).toContain("#createLink");
      expect(filter("CUSTOM_SLUG")).not.toContain("#listWebhooks");
      const taken = filter("slug_taken");
      expect(taken).toEqual(expect.arrayContaining(["#createLink", "#errors"]));
      expect(taken).not.toContain("#deleteLink");
      expect(filter("referrer")).toContain("#getBreakdown");
      expect(filter("webhooks:write delete")).toContain("#deleteWebhook");
      expect(filter("standard webhooks")).toContain("#webhook-verification");
      expect(filter("link.scanned")).toContain("#event-link.scanned");
    });

    test("shows the matching names, and hides them when they no longer match", () => {
      filter("custom_slug");
      expect(page.document.querySelector('nav a[href="#createLink"] small')?.textContent).toBe("custom_slug");
      filter("create a link");
      expect(page.document.querySelector('nav a[href="#createLink"] small')).toBeNull();
    });

    test("shows the number of matching entries, or that there are none", () => {
      const status = page.document.querySelector("nav [role=status]");
      filter("");
      expect(status?.textContent).toBe("");
      filter("workspace/members");
      expect(status?.textContent).toBe("1 found");
      expect(filter("xyzzy")).toEqual([]);
      expect(status?.textContent).toBe("Nothing found for “xyzzy”.");
      expect(page.document.querySelectorAll("nav h2:not([hidden])")).toHaveLength(0);
    });
  });

  describe("an API key", () => {
    let html: string;

    beforeAll(async () => {
      ({ html } = await renderShortReference(["listMembers"]));
    });

    const readKey = ({ document }: Window) => (document.getElementById("key") as HTMLInputElement).value;
    const readKeys = (page: Window) => [
      readKey(page),
      page.sessionStorage.getItem("signpost-key"),
      page.location.hash,
    ];
    const findDialog = ({ document }: Window) => document.querySelector("dialog[open]");

    test("in the URL is used immediately if none or the same is stored", () => {
      for (const stored of [undefined, STORED]) {
        const page = openWindow(html, { fragment: `#key=${STORED}`, stored });
        expect(findDialog(page)).toBeNull();
        expect(readKeys(page)).toEqual([STORED, STORED, ""]);
      }
    });

    test.each([
      ["keep", STORED],
      ["replace", GIVEN],
    ])("in the URL only replaces a stored key after a confirmation: %s", (answer, expected) => {
      const page = openWindow(html, { fragment: `#key=${GIVEN}`, stored: STORED });
      const text = findDialog(page)?.textContent;
      expect(text).toContain("svc_pk_AAAAAAAA");
      expect(text).toContain("svc_pk_BBBBBBBB");
      expect(text).not.toMatch(/s{64}|t{64}/);
      expect(readKeys(page)).toEqual([STORED, STORED, ""]);
      findDialog(page)?.querySelector<HTMLButtonElement>(`[value=${answer}]`)?.click();
      expect(findDialog(page)).toBeNull();
      expect(readKeys(page)).toEqual([expected, expected, ""]);
    });

    test("in the URL that is invalid is reported, and a broken escape is ignored", () => {
      const text = findDialog(openWindow(html, { fragment: "#key=secret", stored: STORED }))?.textContent;
      expect(text).toContain("a malformed key");
      expect(text).not.toContain("secret");
      const page = openWindow(html, { fragment: "#key=%E0%A4%A", stored: STORED });
      expect(readKeys(page)).toEqual([STORED, STORED, ""]);
    });

    test("and a language can be set in a browser without storage", () => {
      const page = openWindow(html, { fragment: `#key=${STORED}`, isStorageBlocked: true });
      const { document } = page;
      document.querySelector<HTMLInputElement>(".languages [value=javascript]")?.click();
      expect(document.querySelector<HTMLInputElement>(".languages :checked")?.value).toBe("javascript");
      expect(readKey(page)).toBe(STORED);
    });
  });
});

describe.skipIf(!hasChromium("the reference page in a browser"))("the reference page in a browser", () => {
  // Two sections of each kind, and a guide with a table. axe-core takes seconds for more.
  const SECTIONS = ["first-link", "schedules", "listMembers", "createWebhook", "listDeliveries"];
  const reference = useReference([...SECTIONS, "event-link.created", "event-link.scanned"]);
  const { open } = reference;

  /** Returns the language of each visible request example, without duplicates. */
  function readLanguages(page: Page): Promise<string[]> {
    return page.evaluate(`[...new Set([...document.querySelectorAll("[data-language]")]
      .filter((block) => block.checkVisibility()).map((block) => block.dataset.language))]`);
  }

  test("/ focuses the filter, which hides other entries, and Escape clears it, but / can be typed in other fields", async () => {
    const page = await open("#listDeliveries");
    const count = await page.locator("nav li:visible").count();
    await page.keyboard.press("/");
    await page.keyboard.type("workspace/members");
    expect(await page.locator("#filter").inputValue()).toBe("workspace/members");
    expect(await page.locator("nav li:visible a").getAttribute("href")).toBe("#listMembers");
    expect(await page.locator("nav h2:visible").count()).toBe(1);
    await page.keyboard.press("Escape");
    expect(await page.locator("#filter").inputValue()).toBe("");
    expect(await page.locator("nav [role=status]").textContent()).toBe("");
    expect(await page.locator("nav li:visible").count()).toBe(count);
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    await page.locator("#key").press("/");
    expect(await page.locator("#key").inputValue()).toBe("/");
  });

  test("curl is shown first, and the arrow keys select a language for all operations, which is copied and remembered", async () => {
    const page = await open();
    await allowClipboard(page);
    expect(await readLanguages(page)).toEqual(["curl"]);
    await page.locator("#listDeliveries [value=curl]").focus();
    await page.keyboard.press("ArrowRight");
    expect(await readLanguages(page)).toEqual(["javascript"]);
    await page.locator("#listMembers .request [data-copy]").click();
    await expect.poll(() => readCopiedText(page)).toMatch(/^const response = await fetch/);
    await page.locator("#listDeliveries [value=javascript]").focus();
    await page.keyboard.press("ArrowRight");
    expect(await readLanguages(page)).toEqual(["python"]);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Copy");
    await page.goto("about:blank");
    await page.goto(`${reference.address}#listDeliveries`);
    await settle(page);
    expect(await readLanguages(page)).toEqual(["python"]);
    await expectAtTop(page, "listDeliveries");
  });

  test("without scripts the page shows curl, and the buttons work", async () => {
    const page = await open("", { javaScriptEnabled: false });
    const blocks = page.locator("#createWebhook [data-language]:visible");
    expect(await blocks.allTextContents()).toEqual([expect.stringMatching(/^curl -X POST/)]);
    await page.locator("#createWebhook .languages label").nth(2).click();
    expect(await blocks.allTextContents()).toEqual([expect.stringMatching(/^import os/)]);
  });

  test("Tab and Enter replace a stored key", async () => {
    const page = await open(`#key=${GIVEN}`, {}, STORED);
    const dialog = page.getByRole("dialog", { name: "Replace the API key?" });
    await dialog.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    // The dialog is hidden before its event "close", at which the page replaces the key.
    await expect.poll(() => page.locator("#key").inputValue()).toBe(GIVEN);
  });

  test("the page is accessible in both themes, on a desktop and on a phone, also while it is filtered or asks for a key, which Escape keeps", async () => {
    const page = await open(`#key=${GIVEN}`, {}, STORED);
    await page.evaluate("document.getElementById('listDeliveries').remove()");
    await expectAccessible(page, ["dialog"]);
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "hidden" });
    expect(await page.locator("#key").inputValue()).toBe(STORED);
    await page.locator("#createWebhook .languages label").nth(1).click();
    await page.locator("#filter").fill("created_at");
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessibleLook(page, undefined, COLOUR_RULES);
    await page.setViewportSize(PHONE);
    await expectAccessibleLook(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    await page.locator("#filter").fill("xyzzy");
    await expectAccessible(page, ["nav"]);
    await page.emulateMedia({ colorScheme: "light" });
    await expectAccessibleLook(page, ["nav"]);
  });
});
