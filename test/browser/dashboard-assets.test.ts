import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, expectFitsPhone } from "../support/accessibility.ts";
import { hasChromium } from "../support/chromium.ts";
import { readCopies, recordCopies } from "./support/clipboard.ts";
import { useDashboard } from "./support/dashboard.ts";

/** Assets in a browser: uploads, the list and the picker. */

/** Timeout for content on a busy machine. */
const SOON = { timeout: 20_000 };

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(!hasChromium("assets in a browser"))("assets in a browser", () => {
  const dashboard = useDashboard();
  const { service, open, toast } = dashboard;
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

  /** Sets the files of the input behind the button. */
  async function giveFiles(...files: ReturnType<typeof file>[]): Promise<void> {
    await page.locator("input[type=file]").setInputFiles(files);
  }

  const line = (name: string) => page.getByRole("list", { name: "Uploads" }).locator("li", { hasText: name });

  async function countAssets(): Promise<number> {
    return (await service.client.GET("/v1/assets")).data?.data.length ?? -1;
  }

  test("several files are uploaded by keyboard, published together, and copied", async () => {
    await open("/assets");
    await recordCopies(page);
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
    await expect.poll(() => readCopies(page), SOON).toEqual([expect.stringMatching(/\/logo\.png$/)]);
    await page.getByRole("button", { name: "Clear finished uploads" }).click();
    await page.getByRole("button", { name: "Dismiss empty.txt" }).click();
    await page.getByRole("list", { name: "Uploads" }).waitFor({ state: "detached" });
  });

  test("a failed upload is retried, and a cancelled upload leaves nothing behind", async () => {
    await open("/assets");
    const before = await countAssets();
    dashboard.expected = /ERR_FAILED|ERR_CONNECTION/;
    await dashboard.context.route(/\/uploads\//, (route) => route.abort("connectionfailed"));
    await giveFiles(file("again.png", "image/png"));
    await line("again.png").getByText("You're offline").waitFor();
    await expectAccessible(page);
    await dashboard.context.unrouteAll();
    await page.getByRole("button", { name: "Try again to upload again.png" }).click();
    await line("again.png").getByText("uploaded").waitFor();
    expect(await countAssets()).toBe(before + 1);

    // The bytes of this file never arrive.
    await dashboard.context.route(/\/uploads\//, () => {});
    await giveFiles(file("slow.png", "image/png"));
    await line("slow.png").getByRole("progressbar").waitFor();
    await expect.poll(countAssets, SOON).toBe(before + 2);
    await page.getByRole("button", { name: "Cancel upload of slow.png" }).click();
    await line("slow.png").waitFor({ state: "detached" });
    await expect.poll(countAssets, SOON).toBe(before + 1);
  });

  test("dropped files are uploaded, wherever they are dropped", async () => {
    await open("/assets");
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

  test("the list is filtered by URL and shown as a table, and a deletion can be undone", async () => {
    await open("/assets?kind=document&view=table");
    const rows = page.getByRole("row");
    await expect.poll(() => rows.count(), SOON).toBe(3);
    await expectAccessible(page);
    await page.keyboard.press("/");
    await page.keyboard.type("drop");
    await expect.poll(() => rows.count(), SOON).toBe(2);
    expect(new URL(page.url()).searchParams.get("search")).toBe("drop");
    await page.getByRole("button", { name: "dropped.txt", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "dropped.txt" });
    await panel.getByText("This file is private").waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No files match your filters" }).waitFor();
    await toast("dropped.txt deleted").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => rows.count(), SOON).toBe(2);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => rows.count(), SOON).toBeGreaterThan(3);
  });

  test("the picker of the QR studio uploads and uses a logo", async () => {
    await open("/qr");
    await page.getByRole("button", { name: "Choose or upload a logo" }).click();
    const dialog = page.getByRole("dialog", { name: "Choose a logo" });
    await dialog.getByRole("button", { name: /logo\.png/ }).waitFor();
    await expectAccessible(page, ["dialog[open]"]);
    const upload = dialog.getByRole("button", { name: "Upload an image" });
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), upload.click()]);
    await chooser.setFiles(file("brand.png", "image/png"));
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("img", { name: "Logo", exact: true }).waitFor();
    await expect
      .poll(() => new URL(page.url()).searchParams.get("design"), SOON)
      .toMatch(/_lhttp.*\/brand\.png$/);
  });

  test("a phone shows images and rows without sideways scrolling", async () => {
    const small = await dashboard.openPhone();
    await open("/assets", small);
    await small.getByRole("list", { name: "Files" }).waitFor();
    await expectFitsPhone(small);
    await small.getByRole("button", { name: "Table view" }).tap();
    await small.getByRole("table", { name: "Files" }).waitFor();
    await expectFitsPhone(small);
  });
});
