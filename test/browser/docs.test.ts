import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { COLOUR_RULES, expectAccessible, expectAccessibleLook } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { readCopies, recordCopies } from "./support/clipboard.ts";
import { DESKTOP, expectAtTop, PHONE, settle, useReference } from "./support/reference.ts";

/** Features of the reference page in a real browser, with some of its operations. */

const OPERATIONS = [
  ...["createLink", "listLinks", "deleteLink", "listMembers", "listWebhooks", "deleteWebhook"],
  ...["listDeliveries", "getBreakdown", "bulkUpdateLinkStatus"],
];

describe.skipIf(!hasChromium("the reference page in a browser"))("the reference page in a browser", () => {
  const reference = useReference(OPERATIONS);
  const { open, errors } = reference;

  describe("the filter", () => {
    async function filter(page: Page, query: string): Promise<string[]> {
      await page.locator("#filter").fill(query);
      return page.evaluate(
        "[...document.querySelectorAll('nav li a')].filter((link) => link.checkVisibility()).map((link) => link.hash)",
      );
    }

    test("finds operations and guides by title, path, field, value, error code and scope", async () => {
      const page = await open();
      expect(await filter(page, "workspace/members")).toEqual(["#listMembers"]);
      expect(await filter(page, "custom_slug")).toContain("#createLink");
      expect(await filter(page, "CUSTOM_SLUG")).not.toContain("#listWebhooks");
      const taken = await filter(page, "slug_taken");
      expect(taken).toEqual(expect.arrayContaining(["#createLink", "#errors"]));
      expect(taken).not.toContain("#deleteLink");
      expect(await filter(page, "referrer")).toContain("#getBreakdown");
      expect(await filter(page, "webhooks:write delete")).toContain("#deleteWebhook");
      expect(await filter(page, "standard webhooks")).toContain("#webhook-verification");
      expect(await filter(page, "link.scanned")).toContain("#event-link.scanned");
    });

    test("shows the matching names, and hides them when it is cleared", async () => {
      const page = await open();
      await filter(page, "custom_slug");
      expect(await page.locator('nav a[href="#createLink"] small').textContent()).toBe("custom_slug");
      await filter(page, "create a link");
      expect(await page.locator('nav a[href="#createLink"] small').count()).toBe(0);
    });

    test("shows the number of matching entries, or that there are none", async () => {
      const page = await open();
      const status = page.locator("nav [role=status]");
      expect(await status.textContent()).toBe("");
      await filter(page, "workspace/members");
      expect(await status.textContent()).toBe("1 found");
      expect(await filter(page, "xyzzy")).toEqual([]);
      expect(await status.textContent()).toBe("Nothing found for “xyzzy”.");
      expect(await page.locator("nav h2:visible").count()).toBe(0);
    });

    test("/ focuses it and Escape clears it, but / can be typed in other fields", async () => {
      const page = await open("#listDeliveries");
      const count = await page.locator("nav li:visible").count();
      await page.keyboard.press("/");
      await page.keyboard.type("bulk/status");
      expect(await page.locator("#filter").inputValue()).toBe("bulk/status");
      await page.keyboard.press("Escape");
      expect(await page.locator("#filter").inputValue()).toBe("");
      expect(await page.locator("nav [role=status]").textContent()).toBe("");
      expect(await page.locator("nav li:visible").count()).toBe(count);
      await page.keyboard.press("Escape");
      expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
      await page.locator("#key").press("/");
      expect(await page.locator("#key").inputValue()).toBe("/");
    });
  });

  describe("the languages of the examples", () => {
    /** Returns the language of each visible request example, without duplicates. */
    function readLanguages(page: Page): Promise<string[]> {
      return page.evaluate(`[...new Set([...document.querySelectorAll("[data-language]")]
        .filter((block) => block.checkVisibility()).map((block) => block.dataset.language))]`);
    }

    test("curl is shown first, and the arrow keys select a language for all operations", async () => {
      const page = await open();
      expect(await readLanguages(page)).toEqual(["curl"]);
      await page.locator("#listLinks [value=curl]").focus();
      await page.keyboard.press("ArrowRight");
      expect(await readLanguages(page)).toEqual(["javascript"]);
      await page.keyboard.press("ArrowRight");
      expect(await readLanguages(page)).toEqual(["python"]);
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Copy");
    });

    test("the selected language is remembered, also by a link to an operation", async () => {
      const page = await open();
      await page.locator("#createLink .languages label").nth(2).click();
      await page.goto("about:blank");
      await page.goto(`${reference.address}#listDeliveries`);
      await settle(page);
      expect(await readLanguages(page)).toEqual(["python"]);
      await expectAtTop(page, "listDeliveries");
    });

    test("language and key can be set in a browser without storage", async () => {
      const context = await reference.browser.newContext({ viewport: DESKTOP });
      await context.addInitScript(`for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, { get: () => { throw new DOMException("no", "SecurityError"); } });
      }`);
      const page = await context.newPage();
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(`${reference.address}#key=svc_pk_x.y`);
      await page.locator("#createLink .languages label").nth(1).click();
      expect(await readLanguages(page)).toEqual(["javascript"]);
      expect(await page.locator("#key").inputValue()).toBe("svc_pk_x.y");
    });

    describe("a key in the URL", () => {
      const STORED = `svc_pk_AAAAAAAA.${"s".repeat(64)}`;
      const GIVEN = `svc_pk_BBBBBBBB.${"t".repeat(64)}`;

      /** Opens the page with a stored key and another one in the URL. */
      const openWithBoth = () => open(`#key=${GIVEN}`, {}, STORED);
      const readKeys = (page: Page) =>
        page.evaluate(
          "[document.getElementById('key').value, sessionStorage.getItem('signpost-key'), location.hash]",
        );

      test("is used immediately if none or the same is stored", async () => {
        const page = await open(`#key=${STORED}`);
        expect(await readKeys(page)).toEqual([STORED, STORED, ""]);
        await page.goto("about:blank");
        await page.goto(`${reference.address}#key=${STORED}`);
        expect(await page.locator("dialog[open]").count()).toBe(0);
        expect(await readKeys(page)).toEqual([STORED, STORED, ""]);
      });

      test.each([
        ["Enter on the first button", ["Enter"], STORED],
        ["Escape", ["Escape"], STORED],
        ["Tab and Enter", ["Tab", "Enter"], GIVEN],
      ])("only replaces a stored key after a confirmation: %s", async (_, keys, expected) => {
        const page = await openWithBoth();
        const dialog = page.getByRole("dialog", { name: "Replace the API key?" });
        const text = (await dialog.textContent()) ?? "";
        expect(text).toContain("svc_pk_AAAAAAAA");
        expect(text).toContain("svc_pk_BBBBBBBB");
        expect(text).not.toMatch(/s{64}|t{64}/);
        expect(await readKeys(page)).toEqual([STORED, STORED, ""]);
        for (const key of keys) await page.keyboard.press(key);
        await dialog.waitFor({ state: "hidden" });
        expect(await readKeys(page)).toEqual([expected, expected, ""]);
      });

      test("asks for confirmation accessibly", async () => {
        const page = await openWithBoth();
        // axe-core reads the whole document, which takes seconds with its sections.
        await page.evaluate('for (const section of document.querySelectorAll("section")) section.remove()');
        await expectAccessible(page, ["dialog"]);
      });

      test("that is invalid is reported, and a broken escape is ignored", async () => {
        const page = await open("#key=secret", {}, STORED);
        expect(await page.locator("dialog").textContent()).toContain("a malformed key");
        expect(await page.locator("dialog").textContent()).not.toContain("secret");
        await page.goto("about:blank");
        await page.goto(`${reference.address}#key=%E0%A4%A`);
        expect(await readKeys(page)).toEqual([STORED, STORED, ""]);
      });
    });

    test("without scripts the page shows curl, and the buttons work", async () => {
      const page = await open("", { javaScriptEnabled: false });
      const blocks = page.locator("#createLink [data-language]:visible");
      expect(await blocks.allTextContents()).toEqual([expect.stringMatching(/^curl -X POST/)]);
      await page.locator("#createLink .languages label").nth(2).click();
      expect(await blocks.allTextContents()).toEqual([expect.stringMatching(/^import os/)]);
    });

    test("the button copies the selected language", async () => {
      const page = await open();
      await recordCopies(page);
      await page.locator("#getHealth .languages label").nth(1).click();
      await page.locator("#getHealth .request [data-copy]").click();
      await expect
        .poll(() => readCopies(page))
        .toEqual([expect.stringMatching(/^const response = await fetch/)]);
    });
  });

  test("the page is accessible in both themes, on a desktop and on a phone, also while it is filtered", async () => {
    const page = await open();
    // axe-core takes seconds for the whole page. Two sections of each kind remain.
    await page.evaluate(`for (const kind of new Set([...document.querySelectorAll("main section")].map(({ className }) => className)))
      for (const section of [...document.querySelectorAll("main section")].filter(({ className }) => className === kind).slice(2)) section.remove()`);
    await page.locator("#createLink .languages label").nth(1).click();
    await page.locator("#filter").fill("expires_at");
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
