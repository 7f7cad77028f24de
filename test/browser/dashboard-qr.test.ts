import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { allowClipboard, readCopiedTypes } from "./support/clipboard.ts";
import { useDashboard } from "./support/dashboard.ts";

/** QR studio in a browser. The tests continue on the page of the first one. */

/** Timeout for content on a busy machine. */
const SOON = { timeout: 20_000 };

describe.skipIf(!hasChromium("the QR studio in a browser"))("the QR studio in a browser", () => {
  const dashboard = useDashboard();
  const { service, open, follow, toast } = dashboard;
  let page: Page;
  beforeAll(() => {
    ({ page } = dashboard);
  });

  test("a look is chosen, changed, undone and saved as a template by keyboard alone", async () => {
    await service.client.POST("/v1/links", { body: { url: "https://example.com/", custom_slug: "poster" } });
    await open("/links");
    await page.keyboard.press("g");
    await page.keyboard.press("q");
    const code = page.getByRole("img", { name: /QR code of .*\/poster$/ });
    await code.waitFor();
    const look = page.getByRole("button", { name: "Forest" });
    await look.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).searchParams.get("design"), SOON).toMatch(/^f0b4a3c_/);
    expect(await look.getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("radio", { name: "Fluid" }).focus();
    await page.keyboard.press("ArrowLeft");
    await expect
      .poll(() => new URL(page.url()).searchParams.get("design"), SOON)
      .toContain("dclassy-rounded");
    await page.getByRole("slider", { name: "Margin" }).focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowLeft");
    await page.getByText("There is no margin").waitFor();
    // The four steps of the slider are one undo step.
    await page.keyboard.press("Control+z");
    await page.getByText("The margin is 4 modules wide").waitFor();
    await page.keyboard.press("Control+Shift+z");
    await page.getByRole("button", { name: "Increase margin to 4" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("The margin is 4 modules wide").waitFor();

    await page.getByRole("button", { name: "Save as template" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Save as template" });
    await dialog.waitFor();
    dashboard.expected = /400/;
    await page.keyboard.press("Enter");
    await dialog.locator("[data-ui=field-error]").waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    await page.keyboard.type("Posters");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => new URL(page.url()).searchParams.get("template"), SOON)
      .toMatch(/^[0-9a-f-]{36}$/);
    expect(new URL(page.url()).searchParams.has("design")).toBe(false);
    const { data } = await service.client.GET("/v1/qr/templates");
    expect(data?.data[0]).toMatchObject({
      name: "Posters",
      design: { foreground_color: "#0b4a3c", dot_style: "classy-rounded", quiet_zone: 4 },
    });
  });

  test("a code is copied as an image", async () => {
    await allowClipboard(page);
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("menuitem", { name: "PNG" }).click();
    await toast("Copied as PNG").waitFor();
    expect(await readCopiedTypes(page)).toEqual(["image/png"]);
  });

  test("a test print contains only the code in its real size", async () => {
    await follow("/qr?mm=15");
    await page.getByRole("tab", { name: "Test print" }).click();
    await page.getByRole("button", { name: "Enlarge to 20 mm" }).click();
    const code = page.getByRole("img", { name: /, 20 mm wide$/ });
    await code.waitFor();
    // 20 mm are 75.59 CSS pixels.
    expect((await code.boundingBox())?.width).toBeCloseTo(75.59, 0);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(false);
    expect(await code.isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
  });
});
