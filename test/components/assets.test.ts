import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { useDashboard } from "./support/dashboard.ts";
import { page } from "./support/page.ts";

/** Assets with the service's code: uploads, the list and the logo of a QR code. */

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);

/** Sends uploads to the service, because happy-dom's class would open a connection. */
class UploadRequest {
  readonly upload = {};
  status = 0;
  responseText = "";
  readonly #headers = new Headers();
  #target = { method: "", url: "" };
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;

  open(method: string, url: string): void {
    this.#target = { method, url };
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }
  send(body: File): void {
    fetch(this.#target.url, { method: this.#target.method, headers: this.#headers, body }).then(
      (response) => {
        this.status = response.status;
        this.onload?.();
      },
      () => this.onerror?.(),
    );
  }
  abort(): void {
    this.onabort?.();
  }
}

describe("assets", () => {
  const dashboard = useDashboard();
  const { open, route, unrouteAll, toast } = dashboard;
  beforeAll(() => void vi.stubGlobal("XMLHttpRequest", UploadRequest));
  afterAll(() => void vi.unstubAllGlobals());

  const line = (name: string) => page.getByRole("list", { name: "Uploads" }).locator("li", { hasText: name });
  const choose = (name: string) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType: "image/png", buffer: PNG });

  async function countAssets(): Promise<number> {
    return (await dashboard.service.client.GET("/v1/assets")).data?.data.length ?? -1;
  }

  /** Uploads a file without the dashboard. Returns its id. */
  async function upload(filename: string, mime_type: string, content: BlobPart): Promise<string> {
    const body = { filename, mime_type, file_size: new Blob([content]).size };
    const { data } = await dashboard.service.client.POST("/v1/assets/presign", { body });
    const { id = "", upload } = data?.data ?? {};
    const headers = upload?.headers ?? {};
    await dashboard.service.send(new Request(upload?.url ?? "", { method: "PUT", headers, body: content }));
    const params = { path: { asset_id: id } };
    await dashboard.service.client.POST("/v1/assets/{asset_id}/confirm", { params });
    return id;
  }

  test("a failed upload is retried, and a cancelled upload leaves nothing behind", async () => {
    await open("/assets");
    route(/\/uploads\//, () => Promise.reject(new TypeError("The connection was lost")));
    await choose("again.png");
    await line("again.png").getByText("You're offline").waitFor();
    unrouteAll();
    await page.getByRole("button", { name: "Try again to upload again.png" }).click();
    await line("again.png").getByText("uploaded").waitFor();
    expect(await countAssets()).toBe(1);

    // The bytes of this file never arrive.
    route(/\/uploads\//, () => new Promise(() => {}));
    await choose("slow.png");
    await line("slow.png").getByRole("progressbar").waitFor();
    await expect.poll(countAssets).toBe(2);
    await page.getByRole("button", { name: "Cancel upload of slow.png" }).click();
    await line("slow.png").waitFor({ state: "detached" });
    await expect.poll(countAssets).toBe(1);
  });

  test("the list is filtered by URL and shown as a table, and a deletion can be undone", async () => {
    for (const name of ["notes.txt", "dropped.txt"]) await upload(name, "text/plain", "Open from 9 to 18");
    await open("/assets?kind=document&view=table");
    const rows = page.getByRole("row");
    await expect.poll(() => rows.count()).toBe(3);
    await page.keyboard.press("/");
    await page.keyboard.type("drop");
    await expect.poll(() => rows.count()).toBe(2);
    expect(new URL(page.url()).searchParams.get("search")).toBe("drop");
    await page.getByRole("button", { name: "dropped.txt", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "dropped.txt" });
    await panel.getByText("This file is private").waitFor();
    await panel.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No files match your filters" }).waitFor();
    await toast("dropped.txt deleted").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(3);
  });

  test("a published image is chosen as a logo, and the preview has it as the service embeds it", async () => {
    const { client } = dashboard.service;
    const asset_id = await upload("logo.png", "image/png", PNG);
    await client.POST("/v1/assets/{asset_id}/publish", { params: { path: { asset_id } } });
    const content = "https://go.example.com/logo";
    await open(`/qr?${new URLSearchParams({ source: "text", text: content, design: "z0.3" })}`);
    await page.getByRole("button", { name: "Choose or upload a logo" }).click();
    await page
      .getByRole("dialog", { name: "Choose a logo" })
      .getByRole("button", { name: /logo\.png/ })
      .click();
    await page.getByRole("img", { name: "Logo", exact: true }).waitFor();
    const readLogoUrl = () => /_l(http.*)$/.exec(new URL(page.url()).searchParams.get("design") ?? "")?.[1];
    await expect.poll(readLogoUrl).toMatch(/^http:\/\/cdn\.localhost:8787\/.*\/logo\.png$/);
    const logo_url = readLogoUrl() ?? "";
    const body = { content, design: { logo_url, logo_size: 0.3 } };
    const { data } = await client.POST("/v1/qr/generate", { body, parseAs: "text" });
    expect(data).toContain("data:image/png;base64,");
    const readPreview = async () => {
      await page.getByRole("link", { name: "SVG", exact: true }).click();
      return (await page.waitForDownload()).text();
    };
    await expect.poll(readPreview).toBe(data);
    // An error of the service appears at the field.
    await page
      .getByRole("textbox", { name: "Or enter a URL" })
      .fill(logo_url.replace("logo.png", "another-logo.png"));
    await page.locator("[data-ui=field-error]").waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.locator("[data-ui=field-error]").waitFor({ state: "detached" });
  });
});
