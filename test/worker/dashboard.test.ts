import { describe, expect, test } from "vitest";
import { visitApp } from "../support/people.ts";

const TYPES: Record<string, string> = { css: "text/css", js: "text/javascript", txt: "text/plain" };

/** Returns the URLs of the files that the page references. */
async function listFiles(): Promise<string[]> {
  const html = await (await visitApp("/")).text();
  return [...html.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map(([, address]) => address ?? "");
}

describe("the dashboard on the app host", () => {
  test.each(["/", "/links", "/links/x", "/unknown"])("GET %s returns the page", async (path) => {
    const response = await visitApp(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toBe("no-cache");
    expect(await response.text()).toContain('<div id="app"></div>');
  });

  test("GET /docs redirects to the documentation on the API host", async () => {
    const response = await visitApp("/docs", { redirect: "manual" });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "http://localhost:8787/docs"]);
  });

  test("only allows its own scripts and styles, none of them inline, and cannot be framed", async () => {
    const response = await visitApp("/links");
    expect(response.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: http://cdn.localhost:8787; connect-src 'self' http://localhost:8787/uploads/; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(response.headers.get("X-Frame-Options")).toBe("DENY");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Referrer-Policy")).toBe("same-origin");
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  });

  test("serves immutable files with their media types", async () => {
    const files = await listFiles();
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const address of files) {
      const response = await visitApp(address);
      expect(response.status, address).toBe(200);
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      const type = TYPES[address.split(".").at(-1) ?? ""];
      expect(response.headers.get("Content-Type")).toBe(`${type}; charset=utf-8`);
      expect((await response.text()).length).toBeGreaterThan(10);
    }
  });

  test("returns 304 if it is unchanged", async () => {
    for (const address of ["/links", ...(await listFiles())]) {
      const first = await visitApp(address);
      const etag = first.headers.get("ETag") ?? "";
      expect(etag).toMatch(/^"[0-9a-f]{16}"$/);
      await first.body?.cancel();
      const again = await visitApp(address, { headers: { "If-None-Match": etag } });
      expect(again.status, address).toBe(304);
      expect(await again.text()).toBe("");
      const other = await visitApp(address, { headers: { "If-None-Match": '"0"' } });
      expect(other.status).toBe(200);
      await other.body?.cancel();
    }
  });

  test("HEAD returns the headers without a body", async () => {
    for (const address of ["/", ...(await listFiles())]) {
      const response = await visitApp(address, { method: "HEAD" });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("");
    }
  });

  test.each(["/static/app.js", "/static/", "/static/constructor"])(
    "%s returns an uncacheable 404",
    async (path) => {
      const response = await visitApp(path);
      expect(response.status).toBe(404);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    },
  );

  test("serves previews in an empty document that only the dashboard can frame", async () => {
    const response = await visitApp("/static/preview");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; img-src https: http://cdn.localhost:8787; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin",
    );
    expect(response.headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=3600");
    expect(await response.text()).toContain("<body></body>");
    const head = await visitApp("/static/preview", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("POST returns 405", async () => {
    const response = await visitApp("/links", { method: "POST" });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET, HEAD");
  });
});
