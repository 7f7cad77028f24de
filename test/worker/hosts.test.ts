import { expect, test } from "vitest";
import { newWorkspace, send, workerEnv } from "../support/harness.ts";

/** Responses of every host at `/robots.txt`, and of the API host at `/`. */

const API = "http://localhost:8787";
const DEPLOYED = { ...workerEnv, API_URL: "https://api.test", SHORT_DOMAIN: "go.test", ALLOW_LOOPBACK: "" };

function request(url: string, init: RequestInit = {}, env?: Env) {
  return send(new Request(url, { redirect: "manual", ...init }), env);
}

test.each([
  ["API host", API, "User-agent: *\nAllow: /$\nAllow: /docs$\nDisallow: /\n"],
  ["bio host", "http://bio.localhost:8787", "User-agent: *\nDisallow: /*/l/\n"],
  ["CDN host", "http://cdn.localhost:8787", "User-agent: *\nAllow: /\n"],
  ["short host", "http://acme.localhost:8787", "User-agent: *\nAllow: /\n"],
  ["unknown host", "http://nobody.test", "User-agent: *\nAllow: /\n"],
])("the %s serves a robots.txt that may be cached for an hour", async (_, origin, text) => {
  const response = await request(`${origin}/robots.txt`);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=3600");
  expect(await response.text()).toBe(text);
  const head = await request(`${origin}/robots.txt`, { method: "HEAD" });
  expect(head.status).toBe(200);
  expect(head.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  expect(await head.text()).toBe("");
});

test("robots.txt of a deployment limits crawlers on the API host only", async () => {
  const read = async (url: string) => (await request(url, {}, DEPLOYED)).text();
  expect(await read("https://api.test/robots.txt")).toContain("Allow: /docs$");
  expect(await read("https://acme.go.test/robots.txt")).toBe("User-agent: *\nAllow: /\n");
});

test.each([
  ["http://acme.localhost:8787", "GET, HEAD", "text/html; charset=utf-8"],
  ["http://bio.localhost:8787", "GET, HEAD", "text/html; charset=utf-8"],
  ["http://cdn.localhost:8787", "GET, HEAD, OPTIONS", "text/plain; charset=utf-8"],
])("POST %s/robots.txt returns 405 in the host's error format", async (origin, allow, type) => {
  const response = await request(`${origin}/robots.txt`, { method: "POST" });
  expect(response.status).toBe(405);
  expect(response.headers.get("Allow")).toBe(allow);
  expect(response.headers.get("Content-Type")).toBe(type);
});

test.each(["GET", "HEAD"])("%s / on the API host redirects browsers to the dashboard", async (method) => {
  const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  for (const origin of [API, "https://api.test"]) {
    const env = origin === API ? workerEnv : DEPLOYED;
    const response = await request(`${origin}/`, { method, headers: { Accept: accept } }, env);
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(`${env.APP_URL}/`);
    expect(response.headers.get("Vary")).toBe("Accept");
  }
});

test.each(["GET", "HEAD"])("%s / on the API host redirects programs to the documentation", async (method) => {
  for (const origin of [API, "http://127.0.0.1:8787", "https://api.test"]) {
    const response = await request(
      `${origin}/`,
      { method },
      origin.startsWith("https") ? DEPLOYED : workerEnv,
    );
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get("Location") ?? "", origin);
    expect(location.pathname).toBe("/docs");
    expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect((await request(`${API}/docs`, { method })).status).toBe(200);
});

test("/ on the API host rejects POST and returns 404 on every other host", async () => {
  const workspace = await newWorkspace();
  expect((await request(`${API}/`, { method: "POST" })).status).toBe(405);
  for (const host of [workspace.hostname, "bio.localhost", "cdn.localhost"]) {
    expect((await request(`http://${host}:8787/`)).status).toBe(404);
  }
});
