import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Walks through the whole dashboard: the first code of a newcomer, and the loading of all screens. */

const LOGO = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
/** Clicks of a newcomer until the code is there. The first one signs in. */
const CLICKS = 8;
/** Layout shift of a screen that nobody notices. */
const SHIFT_MAX = 0.01;

/** Records what moves in a page, and by how much. */
const WATCH_SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      shifts.push({ value, moved: sources.map(({ node }) => node?.className || node?.nodeName).join(", ") });
  }).observe({ type: "layout-shift", buffered: true });
`;
/** Waits until what was drawn last has been reported. */
const DRAWN =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))))";

describe.skipIf(!hasChromium("walks through the dashboard"))("walks through the dashboard", () => {
  const dashboard = useDashboard();
  const { service, open, picture } = dashboard;
  let page: Page;
  beforeAll(() => {
    ({ page } = dashboard);
  });

  test(`from the sign-in link to a QR code with a logo and a rule for iPhones: ${CLICKS} clicks and two addresses`, async () => {
    // The first click, on the page of the printed address, was made when the dashboard was opened.
    let clicks = 1;
    const click = async (target: Locator) => {
      await target.click();
      clicks += 1;
    };
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await click(page.getByRole("link", { name: "Make a link" }));
    const panel = page.getByRole("dialog", { name: "New link" });
    await panel.waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("url");
    await page.keyboard.type("shop.example.com/summer");
    await click(panel.getByRole("button", { name: "iPhones" }));
    await expect
      .poll(() => page.evaluate("document.activeElement.labels?.[0]?.textContent"))
      .toBe("Their destination");
    await page.keyboard.type("apps.apple.com/app/id1");
    await click(panel.getByRole("button", { name: "Create link" }));
    await click(page.getByRole("link", { name: "Design QR code" }));
    await page.getByRole("heading", { name: "QR studio", level: 1 }).waitFor();
    await click(page.getByRole("button", { name: "Choose or upload a logo" }));
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      click(page.getByRole("button", { name: "Upload an image" })),
    ]);
    await chooser.setFiles({ name: "logo.png", mimeType: "image/png", buffer: LOGO });
    await page.getByRole("img", { name: "Logo", exact: true }).waitFor();
    await page.getByRole("heading", { name: /This code scans well/ }).waitFor();
    await picture("first-code");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      click(page.getByRole("link", { name: "SVG", exact: true })),
    ]);
    expect(clicks).toBe(CLICKS);
    expect(await readFile(await file.path(), "utf8")).toContain("data:image/png;base64,");

    const { data } = await service.client.GET("/v1/links", { params: { query: { limit: 1 } } });
    const visit = async (agent: string) => {
      const headers = { "User-Agent": agent };
      const response = await fetch(data?.data[0]?.short_url ?? "", { headers, redirect: "manual" });
      return response.headers.get("Location");
    };
    expect(await visit(IPHONE)).toBe("https://apps.apple.com/app/id1");
    expect(await visit("Mozilla/5.0 (Linux; Android 15) Chrome/140.0.0.0 Mobile")).toBe(
      "https://shop.example.com/summer",
    );
  });

  /** Fills the workspace and returns the path of every screen: those of the navigation, and one of each resource. */
  async function listScreens(): Promise<string[]> {
    const { client } = service;
    for (const slug of ["walk-1", "walk-2"])
      await client.POST("/v1/links", { body: { url: "https://example.com/", custom_slug: slug } });
    const links = await client.GET("/v1/links", { params: { query: {} } });
    const bioPage = await client.POST("/v1/bio/pages", { body: { title: "Walk", page_data: {} } });
    const body = { url: "http://127.0.0.1:9/", description: "Walk" };
    const endpoint = await client.POST("/v1/webhooks", { body });
    await client.POST("/v1/qr/templates", { body: { name: "Walk", design: {} } });
    await client.POST("/v1/domains", { body: { hostname: "walk.acme.example" } });
    await open("/settings");
    const entries = await page
      .locator("nav[aria-label=Screens] a, nav[aria-label=Settings] a")
      .evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute("href") ?? ""));
    const ids = links.data?.data.map(({ id }) => id) ?? [];
    return [
      ...entries,
      // The last one of the list has scans.
      ...ids.map((id) => `/links/${id}`),
      `/pages/${bioPage.data?.data.id}`,
      `/webhooks/${endpoint.data?.data.id}`,
    ];
  }

  test("nothing moves while a screen is loaded, on a desk and on a phone", async () => {
    const screens = await listScreens();
    expect(screens.length).toBeGreaterThan(18);
    const small = await dashboard.openPhone();
    const restless: unknown[] = [];
    for (const on of [page, small]) {
      await on.addInitScript(WATCH_SHIFTS);
      for (const path of screens) {
        await open(path, on);
        await on.evaluate(DRAWN);
        const shifts = (await on.evaluate("shifts")) as { value: number; moved: string }[];
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        if (sum > SHIFT_MAX) restless.push({ path, isPhone: on === small, shifts });
      }
    }
    expect(restless).toEqual([]);
    await small.context().close();
  });
});
