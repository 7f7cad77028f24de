import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Counter of a link's first scans, and filters of reports, with the service's code. */

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const CRAWLER = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

describe("reports of scans", () => {
  const dashboard = useDashboard();
  const { open } = dashboard;
  let saleId = "";

  async function createLink(slug: string, title: string): Promise<string> {
    const body = { url: `https://shop.example.com/${slug}`, custom_slug: slug, title };
    return (await dashboard.service.client.POST("/v1/links", { body })).data?.data.id ?? "";
  }

  /** Opens a short link like a visitor from a country. */
  async function scan(slug: string, country: string, agent: string): Promise<void> {
    const headers = { "User-Agent": agent, "CF-IPCountry": country };
    expect((await dashboard.service.visit(slug, headers)).status).toBe(302);
  }

  /** Waits until the scans of all links, the newest first, are counted. */
  const waitForScans = (...counts: number[]) =>
    expect
      .poll(async () => {
        const { data } = await dashboard.service.client.GET("/v1/links", { params: { query: {} } });
        return data?.data.map(({ scan_count }) => scan_count);
      })
      .toEqual(counts);

  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  /** Returns the number with a label. */
  const stat = (label: string) =>
    page
      .locator("dl > div")
      .filter({ has: page.getByText(label, { exact: true }) })
      .locator("dd b")
      .textContent();

  afterEach(() => void vi.restoreAllMocks());
  beforeAll(async () => {
    saleId = await createLink("sale", "Summer sale");
  });

  test("a counter increases when the short link is opened, and is replaced by the report", async () => {
    const [intervals, timeouts] = [vi.spyOn(globalThis, "setInterval"), vi.spyOn(globalThis, "setTimeout")];
    /** Runs a function that waits for its time. */
    const runWaiting = ({ mock }: typeof intervals | typeof timeouts, ms: number) =>
      mock.calls.find(([, delayMs]) => delayMs === ms)?.[0]();
    await open(`/links/${saleId}`);
    await page.getByRole("heading", { name: "No scans yet" }).waitFor();
    expect(await page.getByRole("status", { name: "0 scans" }).textContent()).toBe("0");
    await scan("sale", "DE", IPHONE);
    await waitForScans(1);
    runWaiting(intervals, 3_000);
    await page.getByRole("heading", { name: "You got your first scan" }).waitFor();
    runWaiting(timeouts, 2_000);
    await page.getByRole("slider", { name: "Summer sale (chart)" }).waitFor();
    expect(await stat("All time")).toBe("1");
    expect(await page.title()).toBe("Summer sale · Signpost");
  });

  test("a report is shown as a table, and has a range and filters", async () => {
    await createLink("menu", "Menu");
    for (const country of ["DE", "DE", "AT"]) await scan("sale", country, WINDOWS);
    await scan("menu", "FR", IPHONE);
    await scan("menu", "FR", CRAWLER);
    await waitForScans(1, 4);
    await open("/analytics");
    await page.keyboard.press("r");
    await expect.poll(() => stat("Scans")).toBe("5");
    const table = page.getByRole("region", { name: "Scans (table)" });
    expect(await table.getByRole("row").count()).toBe(31);
    await page.getByRole("button", { name: "Show as table" }).press("Enter");
    expect(parameter("view")).toBe("table");
    expect(await table.getByRole("row").nth(1).textContent()).toMatch(/5$/);
    await page.getByRole("button", { name: "Show as chart" }).click();
    // The days of the last week, then the hours of a day.
    const chart = page.getByRole("slider", { name: "Scans (chart)" });
    for (const [name, range, max] of [
      ["Last 7 days", "7d", "6"],
      ["Last 24 hours", "24h", "23"],
    ] as const) {
      await page.getByRole("radio", { name }).check();
      expect(parameter("range")).toBe(range);
      await expect.poll(() => chart.getAttribute("aria-valuemax")).toBe(max);
    }
    const germany = page.getByRole("button", { name: "Germany", exact: true });
    await germany.press("Enter");
    expect(parameter("country")).toBe("DE");
    await expect.poll(() => stat("Scans")).toBe("3");
    expect(await germany.getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: "Remove filter: Country Germany" }).press("Enter");
    await expect.poll(() => stat("Scans")).toBe("5");
    await page.getByRole("combobox", { name: "Traffic" }).selectOption("bot");
    await expect.poll(() => stat("Scans")).toBe("1");
    await page.getByRole("button", { name: "Clear filters" }).click();
    expect(parameter("traffic")).toBeNull();
    await page.getByRole("tab", { name: "Operating systems" }).click();
    await page.getByRole("button", { name: "Windows" }).waitFor();
    expect(parameter("devices")).toBe("os");
  });
});
