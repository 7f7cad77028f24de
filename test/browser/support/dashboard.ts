import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type SharedService, useSharedService } from "../../e2e/support/service.ts";
import { connectChromium } from "./chromium.ts";

/** Elements that wait for data. Samples of components wait for ever. */
const WAITING = "main [aria-busy=true]:not([data-ui=gallery] *)";
const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1_280, height: 800 };

/** Dashboard in Chromium, signed in as the owner of a new workspace. */
export interface OpenDashboard {
  readonly service: SharedService;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  /** Console errors that a test expects, such as a failing response. Reset to null before each test. */
  expected: RegExp | null;
  /** URL of a dashboard path. */
  app(path: string): string;
  /** Opens a screen and waits for its content. */
  open(path: string, on?: Page): Promise<void>;
  /** Waits for the content of a screen. */
  settle(on: Page): Promise<void>;
  /** Opens a page with the same session on a phone of 360 pixels with touch. Close its context after the test. */
  openPhone(): Promise<Page>;
  toast(text: string | RegExp): Locator;
}

/**
 * Creates a workspace and signs in before the tests of a file, in the page if `signsInByPage`. Any console
 * error, including any breach of the policy, fails the test that caused it.
 */
export function useDashboard({ signsInByPage = false } = {}): OpenDashboard {
  const service = useSharedService();
  const errors: string[] = [];
  const dashboard = {
    service,
    expected: null,
    app: (path) => `http://app.localhost:${service.port}${path}`,
    async open(path, on = dashboard.page) {
      await on.goto(dashboard.app(path));
      await dashboard.settle(on);
    },
    async settle(on) {
      await on.locator("main h1").waitFor();
      await expect.poll(() => on.locator(WAITING).count()).toBe(0);
    },
    async openPhone() {
      const storageState = await dashboard.context.storageState();
      const options = { viewport: PHONE, hasTouch: true, isMobile: true, storageState };
      const page = await (await dashboard.browser.newContext(options)).newPage();
      watch(page);
      return page;
    },
    toast: (text) => dashboard.page.locator("[data-ui=toast]", { hasText: text }),
  } as OpenDashboard;

  /** Sends the form of the printed URL, which saves two page loads. Returns the cookie. */
  async function beginSession() {
    const { hostname, pathname, origin } = new URL(service.signInLink);
    const response = await service.visit(hostname, pathname, { method: "POST", headers: { Origin: origin } });
    const [, name = "", value = ""] = /^(\w+)=(\w+);/.exec(response.headers.get("Set-Cookie") ?? "") ?? [];
    return { name, value, url: origin };
  }

  function watch(page: Page): void {
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
  }

  beforeAll(async () => {
    dashboard.browser = await connectChromium();
    dashboard.context = await dashboard.browser.newContext({ viewport: DESKTOP });
    dashboard.page = await dashboard.context.newPage();
    if (signsInByPage) {
      await dashboard.page.goto(service.signInLink);
      await dashboard.page.getByRole("button", { name: "Sign in" }).click();
      await dashboard.page.locator("main h1").waitFor();
    } else await dashboard.context.addCookies([await beginSession()]);
  });
  // The connection ends with its contexts.
  afterAll(() => dashboard.browser?.close());

  beforeEach(() => {
    errors.length = 0;
    dashboard.expected = null;
    dashboard.page.removeAllListeners("console");
    dashboard.page.removeAllListeners("pageerror");
    watch(dashboard.page);
  });
  afterEach(async () => {
    await dashboard.context.unrouteAll();
    expect(errors.filter((text) => !dashboard.expected?.test(text))).toEqual([]);
  });
  return dashboard;
}
