import { expect, test, vi } from "vitest";
import { deletedResponse } from "../../src/http/fields.ts";
import { createConfirmedAsset, createPublishedAsset, fetchFile, TEXT } from "../support/assets.ts";
import { expectData, newWorkspace, send, workerEnv } from "../support/harness.ts";

const text = "a file of a test";

test("a published file is served with its media type, cacheable and sandboxed", async () => {
  const workspace = await newWorkspace();
  const { url } = await createPublishedAsset(workspace, TEXT, { mime_type: "text/plain; charset=utf-8" });
  const response = await fetchFile(url, { headers: { Origin: "https://app.example" } });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "content-length": "16",
    "content-disposition": 'inline; filename="notes.txt"',
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "public, max-age=31536000, immutable",
    "accept-ranges": "bytes",
    "access-control-allow-origin": "*",
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
  });
  expect(await response.text()).toBe(text);
});

test("HEAD returns the headers of GET without the body", async () => {
  const { url } = await createPublishedAsset(await newWorkspace());
  const [get, head] = [await fetchFile(url), await fetchFile(url, { method: "HEAD" })];
  expect(head.status).toBe(200);
  expect(await head.text()).toBe("");
  expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
});

test.each([
  ["page.html", "text/html"],
  ["page.xhtml", "application/xhtml+xml"],
  ["logo.svg", "image/svg+xml"],
  ["feed.xml", "application/xml"],
  ["app.js", "text/javascript"],
])("%s is served as a download only", async (filename, mimeType) => {
  const bytes = new TextEncoder().encode("<script>alert(document.domain)</script>");
  const { url } = await createPublishedAsset(await newWorkspace(), bytes, { filename, mime_type: mimeType });
  const response = await fetchFile(url);
  expect(response.headers.get("Content-Type")).toBe(mimeType);
  expect(response.headers.get("Content-Disposition")).toBe(`attachment; filename="${filename}"`);
  expect(response.headers.get("Content-Security-Policy")).toBe("default-src 'none'; sandbox");
});

test("file names in any script, with quotes and with percent signs, are served and kept in Content-Disposition", async () => {
  const workspace = await newWorkspace();
  for (const filename of [
    "prix été 日本 🎉.txt",
    'a"b;c.txt',
    "100%25.txt",
    "a?b#c&d.txt",
    "€".repeat(255),
  ]) {
    const { url } = await createPublishedAsset(workspace, TEXT, { filename });
    const response = await fetchFile(url);
    expect(response.status, filename).toBe(200);
    const [, extended] =
      /filename\*=UTF-8''(.+)$/.exec(response.headers.get("Content-Disposition") ?? "") ?? [];
    expect(decodeURIComponent(extended ?? filename)).toBe(filename);
  }
});

test.each([
  ["bytes=0-0", 206, "a", "bytes 0-0/16"],
  ["bytes=2-5", 206, "file", "bytes 2-5/16"],
  ["bytes=12-", 206, "test", "bytes 12-15/16"],
  ["bytes=12-99", 206, "test", "bytes 12-15/16"],
  ["bytes=-4", 206, "test", "bytes 12-15/16"],
  ["bytes=-99", 206, text, "bytes 0-15/16"],
  ["Bytes=0-", 206, text, "bytes 0-15/16"],
  ["bytes=16-", 416, null, "bytes */16"],
  ["bytes=99999999999999999999-", 416, null, "bytes */16"],
  ["bytes=-0", 416, null, "bytes */16"],
  ["bytes=5-2", 200, text, null],
  ["bytes=0-1,4-5", 200, text, null],
  ["bytes=-", 200, text, null],
  ["bytes=a-b", 200, text, null],
  ["lines=0-1", 200, text, null],
])("Range: %s returns %i", async (range, status, body, contentRange) => {
  const { url } = await createPublishedAsset(await newWorkspace());
  const response = await fetchFile(url, { headers: { Range: range } });
  expect(response.status).toBe(status);
  expect(response.headers.get("Content-Range")).toBe(contentRange);
  const received = await response.text();
  if (body !== null) {
    expect(received).toBe(body);
    expect(response.headers.get("Content-Length")).toBe(String(body.length));
  }
});

test("conditional requests are evaluated by ETag and date", async () => {
  const { url } = await createPublishedAsset(await newWorkspace());
  const whole = await fetchFile(url);
  const [etag, modified] = ["ETag", "Last-Modified"].map((name) => whole.headers.get(name) as string);
  const earlier = new Date(Date.parse(modified as string) - 1_000).toUTCString();
  const status = async (headers: Record<string, string>) => (await fetchFile(url, { headers })).status;

  expect(await status({ "If-None-Match": etag as string })).toBe(304);
  expect(await status({ "If-None-Match": `"x", W/${etag}` })).toBe(304);
  expect(await status({ "If-None-Match": "*" })).toBe(304);
  expect(await status({ "If-None-Match": '"x"' })).toBe(200);
  expect(await status({ "If-None-Match": '"x"', "If-Modified-Since": modified as string })).toBe(200);
  expect(await status({ "If-Modified-Since": modified as string })).toBe(304);
  expect(await status({ "If-Modified-Since": earlier })).toBe(200);
  expect(await status({ "If-Modified-Since": "yesterday" })).toBe(200);
  expect(await status({ "If-Match": etag as string })).toBe(200);
  expect(await status({ "If-Match": '"x"' })).toBe(412);
  expect(await status({ "If-Match": `W/${etag}` })).toBe(412);
  expect(await status({ "If-Unmodified-Since": earlier })).toBe(412);
  expect(await status({ Range: "bytes=0-1", "If-Range": etag as string })).toBe(206);
  expect(await status({ Range: "bytes=0-1", "If-Range": modified as string })).toBe(206);
  expect(await status({ Range: "bytes=0-1", "If-Range": '"x"' })).toBe(200);
  expect(await status({ Range: "bytes=99-", "If-None-Match": etag as string })).toBe(304);

  const unchanged = await fetchFile(url, { headers: { "If-None-Match": etag as string } });
  expect(unchanged.headers.get("ETag")).toBe(etag);
  expect(unchanged.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(await unchanged.text()).toBe("");
});

test("the CDN returns 404 for every path but the exact path of a published file", async () => {
  const workspace = await newWorkspace();
  const { id, url } = await createPublishedAsset(workspace);
  const { id: secret } = await createConfirmedAsset(workspace);
  const origin = new URL(url).origin;
  const paths = [
    `/${secret}/notes.txt`,
    `/${workspace.id}/${secret}`,
    `/${id}`,
    `/${id}/`,
    `/${id}/other.txt`,
    `/${id}/notes.txt/`,
    `/${id}/%2e%2e%2fnotes.txt`,
    `/${id}/..%5cnotes.txt`,
    `/${id}/%00`,
    `/${id}/%ff`,
    `/${id}/${"a".repeat(2_000)}`,
    `/${id.toUpperCase()}/notes.txt`,
    "/",
    "/v1/links",
    "/healthz",
  ];
  for (const path of paths) {
    const response = await fetchFile(origin + path);
    expect(response.status, path).toBe(404);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  }
});

test("other methods return 405, and OPTIONS returns the CORS headers of a preflight", async () => {
  const { url } = await createPublishedAsset(await newWorkspace());
  for (const method of ["PUT", "POST", "DELETE"]) {
    const response = await fetchFile(url, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
  }
  const preflight = await fetchFile(url, { method: "OPTIONS", headers: { Origin: "https://app.example" } });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("Range");
  expect(preflight.headers.get("Access-Control-Max-Age")).toBe("86400");
});

test("reads during a deletion return the whole file or 404", async () => {
  const workspace = await newWorkspace();
  const bytes = new Uint8Array(300_000).fill(7);
  for (let round = 0; round < 3; round++) {
    const { id, url } = await createPublishedAsset(workspace, bytes, {
      mime_type: "application/octet-stream",
    });
    const reads = Array.from({ length: 8 }, (_, i) =>
      fetchFile(url, i % 2 === 0 ? {} : { headers: { Range: "bytes=0-299999" } }),
    );
    await expectData(await workspace.call("DELETE", `/v1/assets/${id}`), deletedResponse);
    for (const response of await Promise.all(reads)) {
      expect([200, 206, 404]).toContain(response.status);
      if (response.ok) expect((await response.arrayBuffer()).byteLength).toBe(bytes.byteLength);
    }
    expect((await fetchFile(url)).status).toBe(404);
  }
});

test("a failing bucket returns an uncacheable 503", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const failing = { get: () => Promise.reject(new Error("R2 is down")) };
  const env = { ...workerEnv, PUBLIC_FILES: failing as unknown as R2Bucket };
  const url = "http://cdn.localhost:8787/019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f/a.txt";
  const response = await send(new Request(url), env);
  expect(response.status).toBe(503);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
});
