import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectNoSidewaysScrolling } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { allowClipboard, readCopiedText } from "./support/clipboard.ts";
import { PHONE, useDashboard } from "./support/dashboard.ts";

/** Assets in a browser: uploads, the list and the picker. The tests continue on the page of the first one. */

/** Timeout for content on a busy machine. */
const SOON = { timeout: 20_000 };

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(!hasChromium("assets in a browser"))("assets in a browser", () => {
  const dashboard = useDashboard();
  const { open, follow, toast } = dashboard;
  let page: Page;
  beforeAll(() => {
    ({ page } = dashboard);
  });

  const file = (name: string, mimeType: string, buffer = PNG) => ({ name, mimeType, buffer });

  /** Chooses files with the button, as keyboard users do. */
  async function chooseFiles(...files: ReturnType<typeof file>[]): Promise<void> {
    const choose = page.getByRole("button", { name: "Choose files" });
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), choose.press("Enter")]);
    await chooser.setFiles(files);
  }

  const line = (name: string) => page.getByRole("list", { name: "Uploads" }).locator("li", { hasText: name });

  test("several files are uploaded by keyboard, published together, and copied", async () => {
    await open("/assets");
    await allowClipboard(page);
    await chooseFiles(
      file("logo.png", "image/png"),
      file("notes.txt", "text/plain", Buffer.from("Open from 9 to 18")),
      file("empty.txt", "text/plain", Buffer.alloc(0)),
    );
    await line("empty.txt").getByText("This file is empty.").waitFor();
    await line("logo.png").getByText("uploaded").waitFor();
    await line("notes.txt").getByText("uploaded").waitFor();
    // Before it is published, only this page can show the image.
    const card = page.getByRole("list", { name: "Files" }).locator("li", { hasText: "logo.png" });
    expect(await card.locator("img").getAttribute("src")).toMatch(/^blob:/);
    await page.getByRole("button", { name: "Publish all 2" }).click();
    await toast("2 files published").waitFor();
    await expect
      .poll(() => card.locator("img").getAttribute("src"), SOON)
      .toMatch(/^http:\/\/cdn\.localhost/);
    const readWidth = () =>
      card.locator("img").evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(readWidth, SOON).toBe(1);
    await card.getByRole("button", { name: "Actions for logo.png" }).click();
    await page.getByRole("menuitem", { name: "Copy URL" }).click();
    await expect.poll(() => readCopiedText(page), SOON).toMatch(/\/logo\.png$/);
    await page.getByRole("button", { name: "Clear finished uploads" }).click();
    await page.getByRole("button", { name: "Dismiss empty.txt" }).click();
    await page.getByRole("list", { name: "Uploads" }).waitFor({ state: "detached" });
  });

  test("dropped files are uploaded, wherever they are dropped", async () => {
    const transfer = await page.evaluateHandle(
      "(() => { const t = new DataTransfer(); t.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' })); return t; })()",
    );
    const target = page.getByRole("heading", { name: "Assets" });
    await target.dispatchEvent("dragenter", { dataTransfer: transfer });
    await page.getByText("Drop files to upload").waitFor();
    await target.dispatchEvent("drop", { dataTransfer: transfer });
    await page.getByText("Drop files to upload").waitFor({ state: "detached" });
    await line("dropped.txt").getByText("uploaded").waitFor();
  });

  test("at the width of a phone, images and rows need no sideways scrolling", async () => {
    const size = page.viewportSize();
    await page.setViewportSize(PHONE);
    await page.getByRole("list", { name: "Files" }).waitFor();
    await expectNoSidewaysScrolling(page);
    await page.getByRole("button", { name: "Table view" }).click();
    await page.getByRole("table", { name: "Files" }).waitFor();
    await expectNoSidewaysScrolling(page);
    if (size !== null) await page.setViewportSize(size);
  });

  test("the panel of a file and the picker of the QR studio are accessible", async () => {
    await page.getByRole("button", { name: "dropped.txt", exact: true }).click();
    await page.getByRole("dialog", { name: "dropped.txt" }).getByText("This file is private").waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    await follow("/qr");
    await page.getByRole("button", { name: "Choose or upload a logo" }).click();
    const logo = page
      .getByRole("dialog", { name: "Choose a logo" })
      .getByRole("button", { name: /logo\.png/ });
    await logo.waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    await logo.click();
    await page.getByRole("img", { name: "Logo", exact: true }).waitFor();
    await expectAccessible(page, ["main"]);
  });
});
