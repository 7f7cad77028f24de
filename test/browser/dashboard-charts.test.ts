import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectNoSidewaysScrolling } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/**
 * Overview, link detail and analytics in a browser. The tests build on each other, because their scans
 * accumulate.
 */

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const CRAWLER = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** Repeats an assertion about requests to the service, which takes some time on a busy machine. */
const poll = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 15_000 });

describe.skipIf(!hasChromium("charts in a browser"))("charts in a browser", () => {
  const dashboard = useDashboard();
  const { service, open } = dashboard;
  let page: Page;
  let saleId = "";
  beforeAll(() => {
    ({ page } = dashboard);
  });

  async function createLink(slug: string, title: string): Promise<string> {
    const body = { url: `https://shop.example.com/${slug}`, custom_slug: slug, title };
    const { data } = await service.client.POST("/v1/links", { body });
    return data?.data.id ?? "";
  }

  /** Opens a short link like a visitor from a country. */
  async function scan(slug: string, country: string, agent: string): Promise<void> {
    const headers = { "User-Agent": agent, "CF-IPCountry": country };
    const response = await service.visit(service.host, `/${slug}`, { headers });
    expect(response.status).toBe(302);
  }

  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  /** Returns the number with a label. */
  const stat = (label: string) =>
    page
      .locator("dl > div")
      .filter({ has: page.getByText(label, { exact: true }) })
      .locator("dd b")
      .textContent();

  test("a counter increases when the short link is opened, and is replaced by the report", async () => {
    saleId = await createLink("sale", "Summer sale");
    await open(`/links/${saleId}`);
    await page.getByRole("heading", { name: "No scans yet" }).waitFor();
    expect(await page.getByRole("status", { name: "0 scans" }).textContent()).toBe("0");
    await expectAccessible(page);
    await scan("sale", "DE", IPHONE);
    await page.getByRole("heading", { name: "You got your first scan" }).waitFor();
    await page.getByRole("slider", { name: "Summer sale (chart)" }).waitFor();
    expect(await stat("All time")).toBe("1");
    expect(await page.title()).toBe("Summer sale · Signpost");
  });

  test("the chart, its table, ranges and filters work by keyboard alone", async () => {
    await createLink("menu", "Menu");
    for (const country of ["DE", "DE", "AT"]) await scan("sale", country, WINDOWS);
    await scan("menu", "FR", IPHONE);
    await scan("menu", "FR", CRAWLER);
    // The scans are counted within seconds.
    await poll(async () => {
      const { data } = await service.client.GET("/v1/links", { params: { query: {} } });
      return data?.data.map(({ scan_count }) => scan_count);
    }).toEqual([1, 4]);
    await open("/analytics");
    await page.keyboard.press("r");
    await poll(() => stat("Scans")).toBe("5");
    const chart = page.getByRole("slider", { name: "Scans (chart)" });
    await chart.focus();
    await page.keyboard.press("ArrowRight");
    await poll(() => chart.getAttribute("aria-valuetext")).toMatch(/ 20\d\d\. Scans: 5$/);
    await page.locator("[data-ui=chart-readout]").waitFor();
    await page.keyboard.press("ArrowLeft");
    await poll(() => chart.getAttribute("aria-valuetext")).toMatch(/Scans: 0$/);
    await page.keyboard.press("Home");
    await poll(() => chart.getAttribute("aria-valuenow")).toBe("0");
    await page.keyboard.press("Escape");
    await page.locator("[data-ui=chart-readout]").waitFor({ state: "detached" });
    // Screen readers get the table next to the chart; the button shows it to everyone.
    const table = page.getByRole("region", { name: "Scans (table)" });
    expect(await table.getByRole("row").count()).toBe(31);
    await page.getByRole("button", { name: "Show as table" }).focus();
    await page.keyboard.press("Enter");
    await poll(() => parameter("view")).toBe("table");
    expect(await table.getByRole("row").nth(1).textContent()).toMatch(/5$/);
    await page.getByRole("button", { name: "Show as chart" }).click();
    // The days of the last week.
    await page.getByRole("radio", { name: "Last 30 days" }).focus();
    await page.keyboard.press("ArrowLeft");
    await poll(() => parameter("range")).toBe("7d");
    await page.keyboard.press("ArrowLeft");
    await poll(() => parameter("range")).toBe("24h");
    await poll(() => chart.getAttribute("aria-valuemax")).toBe("23");
    const germany = page.getByRole("button", { name: "Germany", exact: true });
    await germany.focus();
    await page.keyboard.press("Enter");
    await poll(() => parameter("country")).toBe("DE");
    await poll(() => stat("Scans")).toBe("3");
    expect(await germany.getAttribute("aria-pressed")).toBe("true");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Remove filter: Country Germany" }).press("Enter");
    await poll(() => stat("Scans")).toBe("5");
    await page.getByRole("combobox", { name: "Traffic" }).selectOption("bot");
    await poll(() => stat("Scans")).toBe("1");
    await page.getByRole("button", { name: "Clear filters" }).click();
    expect(parameter("traffic")).toBeNull();
    await page.getByRole("tab", { name: "Operating systems" }).click();
    await page.getByRole("button", { name: "Windows" }).waitFor();
    expect(parameter("devices")).toBe("os");
  });

  test("the chart works by touch on a phone, without sideways scrolling", async () => {
    const small = await dashboard.openPhone();
    await open(`/links/${saleId}`, small);
    const chart = small.getByRole("slider", { name: "Summer sale (chart)" });
    await chart.locator("canvas").waitFor();
    await chart.tap();
    const readout = small.locator("[data-ui=chart-readout]");
    await readout.waitFor();
    // Browsers send events of a mouse after a tap, the last one when it has left.
    await chart.locator(".u-over").dispatchEvent("mouseleave");
    await readout.waitFor();
    await expectNoSidewaysScrolling(small);
    await small.getByRole("heading", { level: 1 }).tap();
    await readout.waitFor({ state: "detached" });
    await small.getByRole("radio", { name: "Last 7 days" }).tap();
    await poll(() => new URL(small.url()).searchParams.get("range")).toBe("7d");
  });
});
