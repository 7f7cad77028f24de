import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../support/chromium.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Walk through the dashboard: a new user's first code. */

const LOGO = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
/** Clicks of a new user until the code is finished. The first one signs in. */
const CLICKS = 9;
describe.skipIf(!hasChromium("walks through the dashboard"))("walks through the dashboard", () => {
  const dashboard = useDashboard({ signsInByPage: true });
  const { service } = dashboard;
  let page: Page;
  beforeAll(() => {
    ({ page } = dashboard);
  });

  test(`from the sign-in link to a QR code with a logo and a rule for iPhones: ${CLICKS} clicks and two URLs`, async () => {
    // The first click, on the page of the printed URL, happened when the dashboard was opened.
    let clicks = 1;
    const click = async (target: Locator) => {
      await target.click();
      clicks += 1;
    };
    await page.getByRole("heading", { name: "Get started" }).waitFor();
    await click(page.getByRole("link", { name: "Create a link" }));
    const panel = page.getByRole("dialog", { name: "New link" });
    await panel.waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("url");
    await page.keyboard.insertText("shop.example.com/summer");
    await click(panel.getByText("Rules", { exact: true }));
    await click(panel.getByRole("button", { name: "iPhone" }));
    await expect
      .poll(() => page.evaluate("document.activeElement.labels?.[0]?.textContent"))
      .toBe("Destination");
    await page.keyboard.insertText("apps.apple.com/app/id1");
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
    await page.getByRole("heading", { name: "Most devices can't open this code" }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      click(page.getByRole("link", { name: "SVG", exact: true })),
    ]);
    expect(clicks).toBe(CLICKS);
    expect(readFileSync(await file.path(), "utf8")).toContain("data:image/png;base64,");

    const { data } = await service.client.GET("/v1/links", { params: { query: { limit: 1 } } });
    const visit = async (agent: string) => {
      const { pathname, hostname } = new URL(data?.data[0]?.short_url ?? "");
      const response = await service.visit(hostname, pathname, { headers: { "User-Agent": agent } });
      return response.headers.get("Location");
    };
    expect(await visit(IPHONE)).toBe("https://apps.apple.com/app/id1");
    expect(await visit("Mozilla/5.0 (Linux; Android 15) Chrome/140.0.0.0 Mobile")).toBe(
      "https://shop.example.com/summer",
    );
  });
});
