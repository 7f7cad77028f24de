import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { renderShortReference } from "../../support/reference-page.ts";
import { useChromium } from "./chromium.ts";

const DESKTOP = { width: 1400, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Reference page in a browser, without the service behind it. */
export interface ReferenceBrowser {
  /** URL of the page. */
  readonly address: string;
  /**
   * Opens the page with a fragment, for a reader who prefers reduced motion, so that links scroll immediately. The storage
   * is empty, except for the API key `stored`. Pages with the same device share one page, because each context costs a
   * window.
   */
  open(fragment?: string, device?: BrowserContextOptions, stored?: string): Promise<Page>;
}

/**
 * Serves the reference page with these operations, guides and events, and starts Chromium before the tests of a file.
 */
export function useReference(ids: readonly string[]): ReferenceBrowser {
  let server: Server;
  const pages = new Map<string, Page>();
  /** Errors of all pages since the last test ended. */
  const errors: string[] = [];
  const chromium = useChromium();
  const reference = { address: "", open };

  beforeAll(async () => {
    const { html, policy } = await renderShortReference(ids);
    server = createServer(({ url }, response) => {
      const isEmpty = url === "/empty";
      const headers = { "Content-Type": "text/html", "Content-Security-Policy": policy };
      response.writeHead(200, headers).end(isEmpty ? "<title>Empty</title>" : html);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    reference.address = `http://localhost:${(server.address() as AddressInfo).port}/docs`;
  });
  afterAll(() => void server?.close());
  afterEach(() => {
    expect(errors.splice(0)).toEqual([]);
  });

  async function open(fragment = "", device: BrowserContextOptions = {}, stored?: string): Promise<Page> {
    const { viewport = DESKTOP, reducedMotion = "reduce", ...fixed } = device;
    const name = JSON.stringify(fixed.isMobile ? { ...fixed, viewport } : fixed);
    const page = pages.get(name) ?? (await createPage({ viewport, ...fixed }));
    pages.set(name, page);
    await page.goto(new URL("/empty", reference.address).href);
    if (device.javaScriptEnabled !== false) {
      await page.evaluate("localStorage.clear(), sessionStorage.clear()");
      if (stored !== undefined) await page.evaluate(`sessionStorage.setItem("signpost-key", "${stored}")`);
    }
    await page.mouse.move(0, 0);
    if (viewport !== null && !fixed.isMobile) await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion, colorScheme: "light" });
    await page.goto(reference.address + fragment);
    return page;
  }

  async function createPage(options: BrowserContextOptions): Promise<Page> {
    const page = await chromium.newPage(options);
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    return page;
  }

  return reference;
}

/**
 * Waits until neither the page nor the contents have moved for longer than the contents wait to follow, and for two
 * frames, because a busy Chromium draws the first one late.
 */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const read = () => scrollY + "," + document.querySelector("nav").scrollTop;
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const draw = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    let last;
    let since;
    const isStill = () => {
      if (read() !== last) [last, since] = [read(), performance.now()];
      return performance.now() - since > 400;
    };
    do {
      while (!isStill()) await sleep(50);
      await draw();
    } while (!isStill());
  })()`);
}

/** Returns the distance of an element from the top of the window. */
export function readTop(page: Page, selector: string): Promise<number> {
  return page.evaluate(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top`);
}

/** Expects a section to start at the top of the window, below a sticky header. */
export async function expectAtTop(page: Page, id: string): Promise<void> {
  const top = await readTop(page, `[id="${id}"]`);
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(90);
}
