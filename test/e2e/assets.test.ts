import { randomBytes } from "node:crypto";
import { createServer, request } from "node:http";
import { expect, test } from "vitest";
import type * as z from "zod";
import type { AssetResponse, presignResponse } from "../../src/assets/assets.schema.ts";
import { useChromium } from "../browser/support/chromium.ts";
import { hasChromium } from "../support/chromium.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { expectData } from "./support/data.ts";
import { findFreePort, useSharedService } from "./support/service.ts";

/** Uploads and downloads of a large file. `e2e/crash` has a crash during an upload. */

type PresignedAsset = z.output<typeof presignResponse>;

const FILE_BYTES = (IS_LONG ? 20 : 5) * 1_048_576;
const file = randomBytes(FILE_BYTES);
const service = useSharedService();
const chromium = useChromium();

function presign(filename: string): Promise<PresignedAsset> {
  const body = { filename, mime_type: "application/octet-stream", file_size: FILE_BYTES };
  return expectData(service.call("POST", "/v1/assets/presign", body), 201);
}

function put({ upload }: PresignedAsset, body: BodyInit = file): Promise<Response> {
  return fetch(upload.url, { method: upload.method, headers: upload.headers, body });
}

function runAction(asset: PresignedAsset, action: "confirm" | "publish"): Promise<Response> {
  return service.call("POST", `/v1/assets/${asset.id}/${action}`);
}

/** Requests a public URL. This machine need not resolve its host name. */
function read(publicUrl: string | null, headers: Record<string, string> = {}): Promise<Response> {
  const { host, pathname } = new URL(publicUrl ?? "");
  return service.visit(host, pathname, { headers });
}

test("a large file is uploaded, published, downloaded unchanged and deleted", async () => {
  const asset = await presign("große Datei.bin");
  const uploads = await Promise.all([put(asset), put(asset)]);
  expect(uploads.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  await expectData(runAction(asset, "confirm"));
  const { public_url: url } = await expectData<AssetResponse>(runAction(asset, "publish"));

  const whole = await read(url);
  expect(whole.status).toBe(200);
  expect(whole.headers.get("Content-Length")).toBe(String(FILE_BYTES));
  expect(Buffer.compare(Buffer.from(await whole.arrayBuffer()), file)).toBe(0);

  const part = await read(url, { Range: "bytes=1000000-2999999" });
  expect(part.status).toBe(206);
  expect(part.headers.get("Content-Range")).toBe(`bytes 1000000-2999999/${FILE_BYTES}`);
  expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), file.subarray(1_000_000, 3_000_000))).toBe(0);

  await expectData(service.call("DELETE", `/v1/assets/${asset.id}`));
  expect((await read(url)).status).toBe(404);
});

test("an upload of another length is rejected, and the file can still be uploaded", async () => {
  const asset = await presign("length.bin");
  expect(await announceUpload(asset, FILE_BYTES + 1)).toBe(413);
  expect(await announceUpload(asset, FILE_BYTES - 1)).toBe(400);
  expect((await runAction(asset, "confirm")).status).toBe(409);
  expect((await put(asset)).status).toBe(200);
  await expectData(runAction(asset, "confirm"));
});

test.skipIf(!hasChromium("assets in a browser"))(
  "a page of another site uploads and reads a file, and browsers download uploaded HTML without running it",
  async () => {
    const html = "<script>localStorage.setItem('ran', '1'); parent.postMessage('ran', '*')</script>";
    const body = { filename: "böse.html", mime_type: "text/html", file_size: html.length };
    const asset = await expectData<PresignedAsset>(service.call("POST", "/v1/assets/presign", body), 201);
    const site = await serveSite();
    try {
      const page = await chromium.newPage();
      await page.goto(site.url);
      const status = await page.evaluate(
        async ({ url, method, headers, text }) =>
          (await fetch(url, { method, headers, body: new Blob([text]) })).status,
        { ...asset.upload, text: html },
      );
      expect(status).toBe(200);
      await expectData(runAction(asset, "confirm"));
      const { public_url } = await expectData<AssetResponse>(runAction(asset, "publish"));
      const url = public_url as string;
      expect(await page.evaluate(async (address) => (await fetch(address)).text(), url)).toBe(html);

      const navigations = [`document.body.innerHTML = '<iframe src="${url}">'`, `location.href = "${url}"`];
      for (const navigation of navigations) {
        const [download] = await Promise.all([page.waitForEvent("download"), page.evaluate(navigation)]);
        expect(download.suggestedFilename()).toBe("böse.html");
        expect(await page.evaluate("document.title + messages")).toBe("site0");
      }
    } finally {
      site.server.close();
    }
  },
);

/** Serves a page of another site that counts the messages it receives. */
async function serveSite() {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<title>site</title><body><script>var messages = 0; onmessage = () => messages++</script>");
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return { server, url: `http://localhost:${port}/` };
}

/**
 * Sends the head of an upload. Returns the status: the service does not read the file of a rejected upload.
 */
function announceUpload({ upload }: PresignedAsset, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...upload.headers, "Content-Length": length };
    const sent = request(upload.url, { method: upload.method, headers }, ({ statusCode = 0 }) => {
      sent.on("error", () => {});
      sent.destroy();
      resolve(statusCode);
    });
    sent.on("error", reject);
    sent.flushHeaders();
  });
}
