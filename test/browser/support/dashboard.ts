import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type SharedService, useSharedService } from "../../e2e/support/service.ts";
import { openPage } from "./chromium.ts";

/** Heading of a screen without elements that wait for data. Samples of components wait for ever. */
const SETTLED_HEADING = "main:not(:has([aria-busy=true]:not([data-ui=gallery] *))) h1";
export const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1_280, height: 800 };

const DISMISS_TOASTS =
  "document.querySelectorAll('[data-ui=toast] [aria-label=Dismiss]').forEach((button) => button.click())";

/** Pages that the files of a worker share, because a new one loads and compiles the dashboard again. */
const memory: { desktop?: Page; phone?: Page } = {};

/** Removes all that earlier tests left in a page, and gives it these cookies. */
async function prepare(page: Page, cookies: Parameters<BrowserContext["addCookies"]>[0]): Promise<void> {
  if (page.url().startsWith("http")) await page.evaluate("localStorage.clear(), sessionStorage.clear()");
  await page.goto("about:blank");
  const context = page.context();
  await context.clearPermissions();
  await context.clearCookies();
  await context.addCookies(cookies);
}

/** Dashboard in Chromium, signed in as the owner of a new workspace. */
export interface OpenDashboard {
  readonly service: SharedService;
  context: BrowserContext;
  page: Page;
  /** Console errors that a test expects, such as a failing response. Reset to null before each test. */
  expected: RegExp | null;
  /** URL of a dashboard path. */
  app(path: string): string;
  /** Opens a screen and waits for its content. */
  open(path: string, on?: Page): Promise<void>;
  /** Navigates to a screen as a link does, in half of the time of a page load, and waits for its content. */
  follow(path: string, on?: Page): Promise<void>;
  /** Waits for the content of a screen. */
  settle(on: Page): Promise<void>;
  /** Returns the page of a phone of 360 pixels with touch, in the same session. */
  openPhone(): Promise<Page>;
  toast(text: string | RegExp): Locator;
}

/**
 * Creates a workspace and signs in before the tests of a file, in the page if `signsInByPage`. The dashboard has no
 * animations unless a test emulates a person who wants them, because Chromium draws each of their frames. Any console
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
    async follow(path, on = dashboard.page) {
      await on.evaluate(
        `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`,
      );
      await dashboard.settle(on);
    },
    async settle(on) {
      await on.locator(SETTLED_HEADING).waitFor();
    },
    async openPhone() {
      memory.phone ??= await openPage({ viewport: PHONE, hasTouch: true, isMobile: true });
      const { phone } = memory;
      await prepare(phone, await dashboard.context.cookies());
      await phone.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
      watch(phone);
      return phone;
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
    page.removeAllListeners("console");
    page.removeAllListeners("pageerror");
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
  }

  beforeAll(async () => {
    memory.desktop ??= await openPage({ viewport: DESKTOP });
    const { desktop: page } = memory;
    Object.assign(dashboard, { page, context: page.context() });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await prepare(page, signsInByPage ? [] : [await beginSession()]);
    if (!signsInByPage) return;
    await page.goto(service.signInLink);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator("main h1").waitFor();
  });

  beforeEach(async () => {
    errors.length = 0;
    dashboard.expected = null;
    watch(dashboard.page);
    // An element below a message of the last test can't be clicked until the message has gone after eight seconds.
    for (const page of Object.values(memory)) await page.evaluate(DISMISS_TOASTS);
  });
  afterEach(async () => {
    await dashboard.context.unrouteAll();
    expect(errors.filter((text) => !dashboard.expected?.test(text))).toEqual([]);
  });
  return dashboard;
}
