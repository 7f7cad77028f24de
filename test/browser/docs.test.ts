import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../src/api.ts";
import { renderReference } from "../../src/docs/render-reference.tsx";
import { writeOpenApiDocument } from "../../src/openapi/document.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";

/** Tests of the reference page in a real browser, without the service behind it. */

const DESKTOP = { width: 1400, height: 900 };
const TABLET = { width: 800, height: 1100 };
const PHONE = { width: 390, height: 844 };

describe.skipIf(!hasChromium("the reference page in a browser"))("the reference page in a browser", () => {
  let server: Server;
  let address: string;
  let browser: Browser;
  const errors: string[] = [];

  beforeAll(async () => {
    const script = ["contents", "requests"]
      .map((name) => readFileSync(`src/docs/${name}.client.js`, "utf8"))
      .join("\n");
    const [apiUrl, bioUrl, cdnUrl] = [
      "http://localhost:8787",
      "http://bio.localhost",
      "http://cdn.localhost",
    ];
    const operations = routes.map(({ operation }) => operation);
    const document = writeOpenApiDocument({ apiUrl, appUrl: apiUrl, operations });
    const { html, policy } = await renderReference({
      document,
      operations,
      script,
      addresses: { apiUrl, bioUrl, cdnUrl },
    });
    server = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": policy }).end(html);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://localhost:${(server.address() as AddressInfo).port}/docs`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(errors.splice(0)).toEqual([]);
  });

  /** Opens the page, for a reader who prefers less motion: scrolls by links then take no time. */
  async function open(fragment = "", options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(address + fragment);
    return page;
  }

  /** Waits until neither the page nor the contents have moved for longer than the contents wait to follow. */
  async function settle(page: Page): Promise<void> {
    await page.evaluate(`new Promise((resolve) => {
      const read = () => scrollY + "," + document.querySelector("nav").scrollTop;
      let last = read();
      let since = performance.now();
      const look = () => {
        if (read() !== last) [last, since] = [read(), performance.now()];
        if (performance.now() - since > 400) resolve();
        else requestAnimationFrame(look);
      };
      look();
    })`);
  }

  /** Returns the distance of an element from the top of the window. */
  function readTop(page: Page, selector: string): Promise<number> {
    return page.evaluate(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top`);
  }

  function readScroll(page: Page): Promise<number> {
    return page.evaluate("scrollY");
  }

  /** Expects a section to start at the top of the window, below a sticky header. */
  async function expectAtTop(page: Page, id: string): Promise<void> {
    const top = await readTop(page, `[id="${id}"]`);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(90);
  }

  /** Returns the text of the marked entry, and whether it is inside the visible part of the contents. */
  function readMark(page: Page): Promise<{ hash: string; isVisible: boolean } | null> {
    return page.evaluate(`(() => {
      const link = document.querySelector("nav [aria-current]");
      if (link === null) return null;
      const [box, own] = [document.querySelector("nav"), link].map((node) => node.getBoundingClientRect());
      return { hash: link.hash, isVisible: own.top >= box.top && own.bottom <= box.bottom };
    })()`);
  }

  describe("the contents", () => {
    test("a click on the last entry ends at its section, and stays there", async () => {
      const page = await open("", { reducedMotion: "no-preference" });
      const last = page.locator("nav a").last();
      const hash = await last.getAttribute("href");
      await last.click();
      await settle(page);
      expect(await readMark(page)).toEqual({ hash, isVisible: true });
      const top = await readTop(page, `[id="${hash?.slice(1)}"]`);
      const isAtEnd = await page.evaluate(
        "scrollY + innerHeight >= document.documentElement.scrollHeight - 1",
      );
      expect(isAtEnd || top < 90).toBe(true);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(DESKTOP.height);
    });

    test("a click on an entry far down ends at its section, also for a reader who prefers less motion", async () => {
      for (const reducedMotion of ["no-preference", "reduce"] as const) {
        const page = await open("", { reducedMotion });
        await page.locator('nav a[href="#listDeliveries"]').click();
        if (reducedMotion === "reduce") await expectAtTop(page, "listDeliveries");
        await settle(page);
        await expectAtTop(page, "listDeliveries");
        expect(await readMark(page)).toEqual({ hash: "#listDeliveries", isVisible: true });
      }
    });

    test("the contents follow the reader, and do not move the page", async () => {
      const page = await open();
      for (const id of ["getUsage", "errors", "createWebhook"]) {
        await page.evaluate(`document.getElementById("${id}").scrollIntoView()`);
        const scroll = await readScroll(page);
        await settle(page);
        expect(await readScroll(page)).toBe(scroll);
        expect(await readMark(page)).toEqual({ hash: `#${id}`, isVisible: true });
      }
    });

    test("a reader who scrolls the contents is left alone", async () => {
      const page = await open("#listLinks");
      await settle(page);
      await page.mouse.move(100, 500);
      await page.mouse.wheel(0, 10_000);
      await settle(page);
      const scrolled = await page.evaluate("document.querySelector('nav').scrollTop");
      expect(scrolled).toBeGreaterThan(500);
      await page.evaluate("scrollBy(0, 20)");
      await settle(page);
      expect(await page.evaluate("document.querySelector('nav').scrollTop")).toBe(scrolled);
    });

    test("the entry at the top of the page is not marked", async () => {
      const page = await open();
      await settle(page);
      expect(await readMark(page)).toBeNull();
    });
  });

  describe.each([
    ["phone", PHONE],
    ["tablet", TABLET],
  ])("on a %s", (_, viewport) => {
    const device = { viewport, hasTouch: true, isMobile: true, reducedMotion: "no-preference" } as const;

    /** Drags the page upwards with a finger, by half of the window's height. */
    async function drag(page: Page): Promise<void> {
      const session = await page.context().newCDPSession(page);
      const touch = (type: "touchStart" | "touchMove" | "touchEnd", share?: number) =>
        session.send("Input.dispatchTouchEvent", {
          type,
          touchPoints: share === undefined ? [] : [{ x: viewport.width / 2, y: viewport.height * share }],
        });
      await touch("touchStart", 0.8);
      for (const share of [0.7, 0.6, 0.5, 0.4, 0.3]) await touch("touchMove", share);
      await touch("touchEnd");
      await session.detach();
    }

    test("a drag moves the page, and it stays", async () => {
      const page = await open("", device);
      let scroll = 0;
      for (let count = 0; count < 4; count++) {
        await drag(page);
        await settle(page);
        const dragged = await readScroll(page);
        expect(dragged).toBeGreaterThan(scroll + viewport.height * 0.1);
        scroll = dragged;
      }
    });

    test("a link to an operation opens at it, and the page does not scroll sideways", async () => {
      const page = await open("#createWebhook", device);
      await settle(page);
      await expectAtTop(page, "createWebhook");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
    });

    test("an entry of the contents leads to its section", async () => {
      const page = await open("", device);
      await page.locator('nav a[href="#getUsage"]').tap();
      await settle(page);
      await expectAtTop(page, "getUsage");
    });
  });

  test("a URL with the fragment of an operation, guide or event opens at it", async () => {
    for (const id of ["listDeliveries", "webhook-verification", "event-link.scanned", "localhost-names"]) {
      const page = await open(`#${id}`);
      await settle(page);
      await expectAtTop(page, id);
    }
  });

  test("back and forward restore the position", async () => {
    const page = await open("", { reducedMotion: "no-preference" });
    const positions: number[] = [];
    for (const id of ["errors", "listDeliveries"]) {
      await page.locator(`nav a[href="#${id}"]`).click();
      await settle(page);
      positions.push(await readScroll(page));
    }
    await page.goBack();
    await settle(page);
    expect(await readScroll(page)).toBe(positions[0]);
    await page.goForward();
    await settle(page);
    expect(await readScroll(page)).toBe(positions[1]);
    await page.reload();
    await settle(page);
    expect(await readScroll(page)).toBe(positions[1]);
  });

  describe("the filter", () => {
    async function filter(page: Page, query: string): Promise<string[]> {
      await page.locator("#filter").fill(query);
      return page.evaluate(
        "[...document.querySelectorAll('nav li a')].filter((link) => link.checkVisibility()).map((link) => link.hash)",
      );
    }

    test("finds operations and guides by title, address, field, value, error code and scope", async () => {
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

    test("shows which names it found, and forgets them", async () => {
      const page = await open();
      await filter(page, "custom_slug");
      expect(await page.locator('nav a[href="#createLink"] small').textContent()).toBe("custom_slug");
      await filter(page, "create a link");
      expect(await page.locator('nav a[href="#createLink"] small').count()).toBe(0);
    });

    test("tells how many entries it found, or that there are none", async () => {
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
    /** Returns the language of each visible example of a request, without repetition. */
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
      await page.goto(`${address}#listDeliveries`);
      await settle(page);
      expect(await readLanguages(page)).toEqual(["python"]);
      await expectAtTop(page, "listDeliveries");
    });

    test("the pressed button stays where it is, although the examples above change", async () => {
      for (const viewport of [DESKTOP, PHONE]) {
        const page = await open("#listDeliveries", { viewport });
        await settle(page);
        const button = "#listDeliveries .languages";
        await page.locator(button).scrollIntoViewIfNeeded();
        for (const language of ["Python", "curl", "JavaScript"]) {
          await settle(page);
          const before = await readTop(page, button);
          await page.locator(`${button} label`, { hasText: language }).click();
          await settle(page);
          expect(Math.abs((await readTop(page, button)) - before)).toBeLessThan(2);
        }
      }
    });

    test("a browser that stores nothing still selects a language and keeps a key", async () => {
      const context = await browser.newContext({ viewport: DESKTOP });
      await context.addInitScript(`for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, { get: () => { throw new DOMException("no", "SecurityError"); } });
      }`);
      const page = await context.newPage();
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(`${address}#key=svc_pk_x.y`);
      await page.locator("#createLink .languages label").nth(1).click();
      expect(await readLanguages(page)).toEqual(["javascript"]);
      expect(await page.locator("#key").inputValue()).toBe("svc_pk_x.y");
    });

    describe("a key in the address", () => {
      const STORED = `svc_pk_AAAAAAAA.${"s".repeat(64)}`;
      const GIVEN = `svc_pk_BBBBBBBB.${"t".repeat(64)}`;

      /** Opens the page with a stored key and another one in the address. */
      async function openWithBoth(): Promise<Page> {
        const page = await open(`#key=${STORED}`);
        await page.goto("about:blank");
        await page.goto(`${address}#key=${GIVEN}`);
        return page;
      }
      const readKeys = (page: Page) =>
        page.evaluate(
          "[document.getElementById('key').value, sessionStorage.getItem('signpost-key'), location.hash]",
        );

      test("is used at once where none is stored, and where the same is", async () => {
        const page = await open(`#key=${STORED}`);
        expect(await readKeys(page)).toEqual([STORED, STORED, ""]);
        await page.goto("about:blank");
        await page.goto(`${address}#key=${STORED}`);
        expect(await page.locator("dialog[open]").count()).toBe(0);
        expect(await readKeys(page)).toEqual([STORED, STORED, ""]);
      });

      test.each([
        ["Enter on the first button", ["Enter"], STORED],
        ["Escape", ["Escape"], STORED],
        ["Tab and Enter", ["Tab", "Enter"], GIVEN],
      ])("replaces a stored one only after a question: %s", async (_, keys, expected) => {
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

      test("is asked about accessibly", async () => {
        const page = await openWithBoth();
        await page.evaluate(axe.source);
        const violations = await page.evaluate(async () => {
          const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run("dialog");
          return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
        });
        expect(violations).toEqual([]);
      });

      test("that is no key is named malformed, and a broken escape is ignored", async () => {
        const page = await openWithBoth();
        await page.goto("about:blank");
        await page.goto(`${address}#key=secret`);
        expect(await page.locator("dialog").textContent()).toContain("a malformed key");
        expect(await page.locator("dialog").textContent()).not.toContain("secret");
        await page.goto("about:blank");
        await page.goto(`${address}#key=%E0%A4%A`);
        expect(await readKeys(page)).toEqual([STORED, STORED, ""]);
      });
    });

    test("without scripts curl is shown, and the buttons work", async () => {
      const page = await open("", { javaScriptEnabled: false });
      const blocks = page.locator("#createLink [data-language]:visible");
      expect(await blocks.allTextContents()).toEqual([expect.stringMatching(/^curl -X POST/)]);
      await page.locator("#createLink .languages label").nth(2).click();
      expect(await blocks.allTextContents()).toEqual([expect.stringMatching(/^import os/)]);
    });

    test("the button copies the selected language", async () => {
      const page = await open("", { permissions: ["clipboard-read", "clipboard-write"] });
      await page.locator("#getHealth .languages label").nth(1).click();
      await page.locator("#getHealth .request [data-copy]").click();
      expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^const response = await fetch/);
    });
  });

  test.each([
    ["desktop", DESKTOP],
    ["phone", PHONE],
  ])(
    "the page is accessible on a %s while the filter is used and another language is shown",
    async (_, viewport) => {
      const page = await open("", { viewport });
      await page.locator("#createLink .languages label").nth(1).click();
      await page.evaluate(axe.source);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const query of ["expires_at", "xyzzy"]) {
          await page.locator("#filter").fill(query);
          const violations = await page.evaluate(async () => {
            const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
              { include: [["nav"], ["#createLink"]] },
              { rules: { "target-size": { enabled: true } } },
            );
            return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} (${nodes.length})`);
          });
          expect(violations).toEqual([]);
        }
      }
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
    },
  );
});
