import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectFitsPhone } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { readDownload } from "./support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Import and export in a browser: a file, its plan, the run and its result. */

/** Timeout for content on a busy machine. */
const SOON = { timeout: 20_000 };

describe.skipIf(!hasChromium("imports in a browser"))("imports in a browser", () => {
  const dashboard = useDashboard();
  const { service, open } = dashboard;
  let page: Page;
  beforeAll(() => {
    ({ page } = dashboard);
  });

  const csv = (name: string, ...lines: string[]) => ({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(lines.join("\r\n")),
  });
  const choose = (file: ReturnType<typeof csv>, on = page) =>
    on.locator("input[type=file]").setInputFiles(file);
  const table = (on = page) => on.getByRole("table", { name: "Rows in the file" });
  const total = (name: string) => page.getByRole("radio", { name });
  const focusedText = () => page.evaluate<string>("document.activeElement.textContent");

  async function findLinks(label: string) {
    const query = { label, limit: 100 } as const;
    return (await service.client.GET("/v1/links", { params: { query } })).data?.data ?? [];
  }

  test("the sample is imported and its report downloaded by keyboard alone, and a second import creates nothing", async () => {
    await open("/overview");
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByText("Don't have a file yet?").waitFor();
    await page.getByRole("button", { name: "Preview import" }).press("Enter");
    await expect.poll(focusedText, SOON).toBe("signpost-sample.csv");
    await table().waitFor();
    expect(await table().getByRole("row").count()).toBe(4);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Import 3 links" }).press("Enter");
    await expect.poll(focusedText, SOON).toBe("3 links imported");
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download report" }).press("Enter"),
    ]);
    const report = (await readDownload(download)).toString();
    expect(report.match(/,created,/g)).toHaveLength(3);
    const [sale] = await findLinks("2027");
    expect(sale).toMatchObject({
      short_code: "summer-sale",
      title: "Summer sale",
      labels: ["print", "2027"],
    });

    await page.getByRole("button", { name: "Import another file" }).press("Enter");
    await expect.poll(focusedText).toBe("Import and export");
    await page.getByRole("button", { name: "Preview import" }).press("Enter");
    await total("3 already exist").waitFor();
    await page.getByText("Nothing to import").waitFor();
  });

  test("an import works by touch at 360 pixels", async () => {
    const small = await dashboard.openPhone();
    await open("/import", small);
    await choose(csv("phone.csv", "url,slug,title", "https://example.com/phone,phone-1,By phone"), small);
    await table(small).waitFor();
    await expectFitsPhone(small);
    await small.getByRole("button", { name: "Import 1 link" }).tap();
    await small.getByRole("heading", { name: "1 link imported" }).waitFor();
    await expectFitsPhone(small);
  });
});
