import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { readDownload } from "./support/chromium.ts";
import { readCopies, recordCopies } from "./support/clipboard.ts";
import { useDashboard } from "./support/dashboard.ts";

/** QR studio in a browser, and its preview compared with the service's output. */

/** Timeout for content on a busy machine. */
const SOON = { timeout: 20_000 };

/** Image that can be used as a logo. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(!hasChromium("the QR studio in a browser"))("the QR studio in a browser", () => {
  const dashboard = useDashboard();
  const { service, open, toast } = dashboard;
  let page: Page;
  beforeAll(() => {
    ({ page } = dashboard);
  });

  /** URL of the studio. */
  const studio = (parameters: Record<string, string>) => `/qr?${new URLSearchParams(parameters)}`;

  /** Reads the file behind the preview: its download has the image's URL. */
  async function readPreview(): Promise<string> {
    const file = page.getByRole("link", { name: "SVG", exact: true });
    const shown = await page.getByRole("img", { name: /^QR code of/ }).getAttribute("src");
    expect(await file.getAttribute("href")).toBe(shown);
    const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
    return (await readDownload(download)).toString();
  }

  async function renderByService(content: string, design: Record<string, unknown>): Promise<string> {
    const body = { content, design };
    const { data } = await service.client.POST("/v1/qr/generate", { body, parseAs: "text" });
    return data as unknown as string;
  }

  /** Uploads and publishes the image. Returns its URL. */
  async function uploadLogo(): Promise<string> {
    const body = { filename: "logo.png", mime_type: "image/png", file_size: PNG.length };
    const { data } = await service.client.POST("/v1/assets/presign", { body });
    const { id = "", upload } = data?.data ?? {};
    await fetch(upload?.url ?? "", { method: "PUT", headers: upload?.headers ?? {}, body: PNG });
    const params = { path: { asset_id: id } };
    await service.client.POST("/v1/assets/{asset_id}/confirm", { params });
    return (
      (await service.client.POST("/v1/assets/{asset_id}/publish", { params })).data?.data.public_url ?? ""
    );
  }

  test("the preview contains the logo as the service embeds it", async () => {
    const content = "https://go.example.com/logo";
    const logo_url = await uploadLogo();
    await open(studio({ source: "text", text: content, design: `z0.3_l${logo_url}` }));
    await page.getByRole("img", { name: "Logo", exact: true }).waitFor();
    const expected = await renderByService(content, { logo_url, logo_size: 0.3 });
    expect(expected).toContain("data:image/png;base64,");
    await expect.poll(readPreview, SOON).toBe(expected);
    await expectAccessible(page);
    // An error of the service appears at the field.
    dashboard.expected = /400/;
    await page.getByRole("textbox", { name: "Or enter a URL" }).fill("https://nothing.invalid/logo.png");
    await page.keyboard.press("Enter");
    await page.locator("[data-ui=field-error]").waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.locator("[data-ui=field-error]").waitFor({ state: "detached" });
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

  test("codes are downloaded in all formats and copied as an image", async () => {
    await open("/qr");
    await recordCopies(page);
    for (const [format, size, name, start] of [
      ["PNG", "1,024 pixels", "poster-1024.png", "\x89PNG"],
      ["PDF", "4 cm", "poster-40mm.pdf", "%PDF"],
    ] as const) {
      await page.getByRole("button", { name: format, exact: true }).click();
      const item = page.getByRole("menuitem", { name: size, exact: true });
      const [download] = await Promise.all([page.waitForEvent("download"), item.click()]);
      expect(download.suggestedFilename()).toBe(name);
      expect((await readDownload(download)).toString("latin1").slice(0, 4)).toBe(start);
    }
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("menuitem", { name: "PNG" }).click();
    await toast("Copied as PNG").waitFor();
    expect(await readCopies(page)).toEqual(["image/png"]);
  });

  test("a test print contains only the code in its real size", async () => {
    await open("/qr?mm=15");
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

  test("a phone shows the code above the fields", async () => {
    const small = await dashboard.openPhone();
    await open("/qr", small);
    const code = small.getByRole("img", { name: /QR code of .*\/poster$/ });
    await code.waitFor();
    const soft = small.getByRole("radio", { name: "Soft" });
    await soft.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await soft.tap();
    // The code stays visible while the fields scroll below it.
    await expect.poll(async () => (await code.boundingBox())?.y ?? -1).toBeGreaterThan(0);
    await expect
      .poll(() => new URL(small.url()).searchParams.get("design"), SOON)
      .toContain("kextra-rounded");
  });
});
