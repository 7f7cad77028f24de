import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { type ClientRequest, createServer, request } from "node:http";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import type { AssetResponse, presignResponse } from "../../src/assets/assets.schema.ts";
import { eventually, freePort, freshFolder, type RunningService, startService } from "./support/service.ts";

/** A large file through the real command: up, public, down again, and with the service killed on the way. */

type PresignedAsset = z.output<typeof presignResponse>;

const FILE_BYTES = 20 * 1_048_576;
const file = randomBytes(FILE_BYTES);
const folder = freshFolder();
let service: RunningService;

beforeAll(async () => {
  service = await startService(folder, await freePort());
}, 150_000);
afterAll(() => service.stop());

async function dataOf<Data>(answering: Promise<Response>, status = 200): Promise<Data> {
  const response = await answering;
  const body = await response.text();
  expect(response.status, body).toBe(status);
  return (JSON.parse(body) as { data: Data }).data;
}

function presign(filename: string): Promise<PresignedAsset> {
  const body = { filename, mime_type: "application/octet-stream", file_size: FILE_BYTES };
  return dataOf(service.call("POST", "/v1/assets/presign", body), 201);
}

function put({ upload }: PresignedAsset, body: BodyInit = file): Promise<Response> {
  return fetch(upload.url, { method: upload.method, headers: upload.headers, body });
}

function act(asset: PresignedAsset, action: "confirm" | "publish"): Promise<Response> {
  return service.call("POST", `/v1/assets/${asset.id}/${action}`);
}

/** Asks the CDN's host, whose name this machine need not resolve. */
function read(publicUrl: string | null, headers: Record<string, string> = {}): Promise<Response> {
  const { host, pathname } = new URL(publicUrl ?? "");
  return service.visit(host, pathname, { headers });
}

test("a file of 20 MiB goes up, is published and comes down byte for byte, until it is deleted", async () => {
  const asset = await presign("große Datei.bin");
  const uploads = await Promise.all([put(asset), put(asset)]);
  expect(uploads.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  await dataOf(act(asset, "confirm"));
  const { public_url: url } = await dataOf<AssetResponse>(act(asset, "publish"));

  const whole = await read(url);
  expect(whole.status).toBe(200);
  expect(whole.headers.get("Content-Length")).toBe(String(FILE_BYTES));
  expect(Buffer.compare(Buffer.from(await whole.arrayBuffer()), file)).toBe(0);

  const part = await read(url, { Range: "bytes=1000000-2999999" });
  expect(part.status).toBe(206);
  expect(part.headers.get("Content-Range")).toBe(`bytes 1000000-2999999/${FILE_BYTES}`);
  expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), file.subarray(1_000_000, 3_000_000))).toBe(0);

  await dataOf(service.call("DELETE", `/v1/assets/${asset.id}`));
  expect((await read(url)).status).toBe(404);
});

test("a body of another length is refused, and the file can still be uploaded", async () => {
  const asset = await presign("length.bin");
  const longer = new Blob([file, "x"]);
  expect((await put(asset, longer)).status).toBe(413);
  expect((await put(asset, file.subarray(1))).status).toBe(400);
  expect((await act(asset, "confirm")).status).toBe(409);
  expect((await put(asset)).status).toBe(200);
  await dataOf(act(asset, "confirm"));
});

test("a crash during an upload keeps nothing of it, and the same address takes the file afterwards", async () => {
  const asset = await presign("crash.bin");
  const cut = halfUpload(asset);
  await eventually(
    async () => cut.socket?.bytesWritten ?? 0,
    (bytes) => bytes > FILE_BYTES / 2,
  );
  await service.kill();
  cut.destroy();

  service = await startService(folder, service.port);
  expect((await act(asset, "confirm")).status).toBe(409);
  expect((await put(asset)).status).toBe(200);
  await dataOf(act(asset, "confirm"));
  const { public_url: url } = await dataOf<AssetResponse>(act(asset, "publish"));
  expect(Buffer.compare(Buffer.from(await (await read(url)).arrayBuffer()), file)).toBe(0);
}, 150_000);

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);
if (CHROMIUM === undefined) {
  console.warn("assets in a browser: SKIPPED, no Chromium found (Debian: apt-get install chromium)");
}

test.skipIf(CHROMIUM === undefined)(
  "a page of another site uploads and reads, and an uploaded page is a download that never runs",
  async () => {
    const html = "<script>localStorage.setItem('ran', '1'); parent.postMessage('ran', '*')</script>";
    const body = { filename: "böse.html", mime_type: "text/html", file_size: html.length };
    const asset = await dataOf<PresignedAsset>(service.call("POST", "/v1/assets/presign", body), 201);
    const site = await serveSite();
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(site.url);
      const status = await page.evaluate(
        async ({ url, method, headers, text }) =>
          (await fetch(url, { method, headers, body: new Blob([text]) })).status,
        { ...asset.upload, text: html },
      );
      expect(status).toBe(200);
      await dataOf(act(asset, "confirm"));
      const { public_url } = await dataOf<AssetResponse>(act(asset, "publish"));
      const url = public_url as string;
      expect(await page.evaluate(async (address) => (await fetch(address)).text(), url)).toBe(html);

      const ways = [`document.body.innerHTML = '<iframe src="${url}">'`, `location.href = "${url}"`];
      for (const way of ways) {
        const [download] = await Promise.all([page.waitForEvent("download"), page.evaluate(way)]);
        expect(download.suggestedFilename()).toBe("böse.html");
        expect(await page.evaluate("document.title + messages")).toBe("site0");
      }
    } finally {
      await browser.close();
      site.server.close();
    }
  },
);

/** A page of somebody else, which counts the messages it gets. */
async function serveSite() {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<title>site</title><body><script>var messages = 0; onmessage = () => messages++</script>");
  });
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, "localhost", done));
  return { server, url: `http://localhost:${port}/` };
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM as string,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}

/** An upload that says how much is to come, sends a good half of it and waits. */
function halfUpload({ upload }: PresignedAsset): ClientRequest {
  const headers = { ...upload.headers, "Content-Length": FILE_BYTES };
  const sent = request(upload.url, { method: upload.method, headers });
  sent.on("error", () => {});
  sent.write(file.subarray(0, FILE_BYTES / 2 + 1_048_576));
  return sent;
}
