import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasChromium } from "../support/chromium.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { expectAtTop, PHONE, readTop, settle, useReference } from "./support/reference.ts";

/** Scroll positions in a long reference page in a real browser: its contents, fragments and history. */

/** Sections that make the page and its contents many windows long, but are short, because each load lays them out. */
const SECTIONS = [
  ...["first-link", "schedules", "uploads", "menu-code", "webhook-verification", "idempotency", "errors"],
  ...["typed-client", "command-line", "mcp", "getUsage", "listMembers", "createWebhook", "listDeliveries"],
  ...["event-link.created", "event-link.updated", "event-link.deleted", "event-link.restored"],
  ...["event-link.broken", "event-link.recovered", "event-link.scanned", "event-bio.published"],
  ...["event-bio.unpublished", "event-asset.uploaded", "event-asset.published", "event-webhook.test"],
];

/** Smooth scrolls draw many frames, and one of them is enough for the normal run. */
const REPEATED_MOTION = IS_LONG ? "no-preference" : "reduce";
/** Small, because Chromium draws every frame of a scroll. */
const DESKTOP = { width: 900, height: 500 };
const TABLET = { width: 800, height: 1100 };

describe.skipIf(!hasChromium("places in the reference"))("scroll positions in the reference", () => {
  const reference = useReference(SECTIONS);
  const open: typeof reference.open = (fragment, device) =>
    reference.open(fragment, { viewport: DESKTOP, ...device });

  function readScroll(page: Page): Promise<number> {
    return page.evaluate("scrollY");
  }

  /** Returns the text of the marked entry, and whether it is in the visible part of the contents. */
  function readMark(page: Page): Promise<{ hash: string; isVisible: boolean } | null> {
    return page.evaluate(`(() => {
      const link = document.querySelector("nav [aria-current]");
      if (link === null) return null;
      const [box, own] = [document.querySelector("nav"), link].map((node) => node.getBoundingClientRect());
      return { hash: link.hash, isVisible: own.top >= box.top && own.bottom <= box.bottom };
    })()`);
  }

  test("the contents follow the scroll position without moving the page, and mark nothing at its top", async () => {
    const page = await open();
    await settle(page);
    expect(await readMark(page)).toBeNull();
    for (const id of ["getUsage", "errors", "createWebhook"]) {
      await page.evaluate(`document.getElementById("${id}").scrollIntoView()`);
      const scroll = await readScroll(page);
      await settle(page);
      expect(await readScroll(page)).toBe(scroll);
      expect(await readMark(page)).toEqual({ hash: `#${id}`, isVisible: true });
    }
  });

  test("clicking an entry scrolls to its section immediately for readers who prefer reduced motion, and the page stays there", async () => {
    const page = await open();
    await page.locator('nav a[href="#listDeliveries"]').click();
    await expectAtTop(page, "listDeliveries");
    await settle(page);
    await expectAtTop(page, "listDeliveries");
    expect(await readMark(page)).toEqual({ hash: "#listDeliveries", isVisible: true });
    // The last section can't reach the top of a tall window.
    const height = 1000;
    await page.setViewportSize({ ...DESKTOP, height });
    const last = page.locator("nav a").last();
    const hash = await last.getAttribute("href");
    await last.click();
    await settle(page);
    expect(await readMark(page)).toEqual({ hash, isVisible: true });
    const top = await readTop(page, `[id="${hash?.slice(1)}"]`);
    expect(top).toBeGreaterThan(90);
    expect(top).toBeLessThan(height);
  });

  test("a URL with the fragment of an event opens at it, and contents that the reader scrolls do not follow", async () => {
    const page = await open("#event-link.scanned");
    await settle(page);
    await expectAtTop(page, "event-link.scanned");
    const readContents = () => page.evaluate("document.querySelector('nav').scrollTop");
    expect(await readContents()).toBeGreaterThan(500);
    await page.mouse.move(100, 400);
    await page.mouse.wheel(0, -10_000);
    await settle(page);
    expect(await readContents()).toBe(0);
    await page.evaluate("scrollBy(0, 20)");
    await settle(page);
    expect(await readContents()).toBe(0);
  });

  // A larger window with touch behaves like the other here.
  const devices = [
    { device: "phone", viewport: PHONE },
    ...(IS_LONG ? [{ device: "tablet", viewport: TABLET }] : []),
  ];
  describe.each(devices)("on a $device", ({ viewport }) => {
    const device = { viewport, hasTouch: true, isMobile: true, reducedMotion: REPEATED_MOTION } as const;

    /** Drags the page upwards with a finger by half of the window's height. */
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

    test("a link to an operation opens at it, an entry of the contents scrolls to its section, and a drag scrolls the page, which stays there", async () => {
      const page = await open("#createWebhook", device);
      await settle(page);
      await expectAtTop(page, "createWebhook");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
      await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
      await page.locator('nav a[href="#getUsage"]').tap();
      await settle(page);
      await expectAtTop(page, "getUsage");
      await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
      await settle(page);
      let scroll = 0;
      for (let count = 0; count < 2; count++) {
        await drag(page);
        await settle(page);
        const dragged = await readScroll(page);
        expect(dragged).toBeGreaterThan(scroll + viewport.height * 0.1);
        scroll = dragged;
      }
    });
  });

  test("a URL with the fragment of a guide opens at it, an entry scrolls to its section, and back and forward restore the position", async () => {
    const page = await open("#errors");
    await settle(page);
    await expectAtTop(page, "errors");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const positions = [await readScroll(page)];
    await page.locator('nav a[href="#listDeliveries"]').click();
    await settle(page);
    await expectAtTop(page, "listDeliveries");
    expect(await readMark(page)).toEqual({ hash: "#listDeliveries", isVisible: true });
    positions.push(await readScroll(page));
    await page.emulateMedia({ reducedMotion: REPEATED_MOTION });
    await page.goBack();
    await settle(page);
    expect(await readScroll(page)).toBe(positions[0]);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goForward();
    await settle(page);
    expect(await readScroll(page)).toBe(positions[1]);
    await page.reload();
    await settle(page);
    expect(await readScroll(page)).toBe(positions[1]);
  });

  test("the pressed button stays where it is, although the examples above change", async () => {
    const page = await open("#listDeliveries");
    const button = "#listDeliveries .languages";
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport);
      await page.locator(button).scrollIntoViewIfNeeded();
      await settle(page);
      for (const language of ["Python", "curl"]) {
        const before = await readTop(page, button);
        await page.locator(`${button} label`, { hasText: language }).click();
        await settle(page);
        expect(Math.abs((await readTop(page, button)) - before)).toBeLessThan(2);
      }
    }
  });
});
