import { describe, expect, test } from "vitest";
import { createLink, newWorkspace, send, workerEnv } from "../support/harness.ts";

/** A deployed service, whose surfaces have https URLs. */
const DEPLOYED = {
  ...workerEnv,
  API_URL: "https://api.test",
  BIO_URL: "https://bio.test",
  APP_URL: "https://app.test",
  CDN_URL: "https://cdn.test",
  SHORT_DOMAIN: "go.test",
  ALLOW_LOOPBACK: "",
};
const HSTS = "max-age=31536000";

function request(url: string, init: RequestInit = {}) {
  return send(new Request(url, { redirect: "manual", ...init }), DEPLOYED);
}

test.each(["/v1/links", "/docs", "/openapi.json", "/healthz", "/v1/unknown"])(
  "plain http to %s of the API is rejected before anything else",
  async (path) => {
    const response = await request(`http://api.test${path}`, {
      headers: { Authorization: "Bearer svc_pk_wrong" },
    });
    expect(response.status).toBe(403);
    expect(response.headers.has("Strict-Transport-Security")).toBe(false);
    const { error } = await response.json<{ error: { code: string; message: string } }>();
    expect(error.code).toBe("HTTPS_REQUIRED");
    expect(error.message).toContain("https://api.test");
  },
);

test("a call over plain http changes nothing and counts nowhere, even with a valid key", async () => {
  const workspace = await newWorkspace();
  const call = (scheme: string, method: string) =>
    request(`${scheme}://api.test/v1/links`, {
      method,
      headers: { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" },
      ...(method === "POST" && { body: JSON.stringify({ url: "https://example.com/" }) }),
    });
  expect((await call("http", "POST")).status).toBe(403);
  const list = await call("https", "GET");
  expect(list.headers.get("X-RateLimit-Remaining")).toBe("24999");
  expect((await list.json<{ meta: { total: number } }>()).meta.total).toBe(0);
});

test("https responses of the API, SCIM, the bio host and the app host have HSTS, including errors", async () => {
  for (const url of [
    ...["https://api.test/healthz", "https://api.test/v1/links", "https://api.test/scim/v2/Users"],
    ...["https://bio.test/nobody", "https://app.test/sign-in", "https://app.test/v1/session"],
  ]) {
    expect((await request(url)).headers.get("Strict-Transport-Security"), url).toBe(HSTS);
  }
});

test.each([
  ["http://bio.test/ada?x=1", "https://bio.test/ada?x=1"],
  ["http://api.test/", "https://api.test/"],
  ["http://app.test/sign-in/link/x?y=1", "https://app.test/sign-in/link/x?y=1"],
])("plain http to %s, which people open, redirects to https", async (url, location) => {
  const response = await request(url);
  expect(response.status).toBe(308);
  expect(response.headers.get("Location")).toBe(location);
});

test("plain http on the app host cannot sign in, sign out or make calls, and SCIM calls are rejected", async () => {
  const headers = { Origin: "https://app.test", Cookie: `__Host-signpost_session=${"a".repeat(48)}` };
  for (const path of ["/sign-out", `/sign-in/link/${"a".repeat(48)}`]) {
    const response = await request(`http://app.test${path}`, { method: "POST", headers });
    expect([response.status, response.headers.get("Set-Cookie")]).toEqual([403, null]);
  }
  const session = await request("http://app.test/v1/session", { headers });
  expect(await session.json()).toMatchObject({ error: { code: "HTTPS_REQUIRED", status: 403 } });
  const scim = await request("http://api.test/scim/v2/Users", {
    headers: { Authorization: "Bearer svc_scim_x" },
  });
  expect(await scim.json()).toMatchObject({
    status: "403",
    detail: expect.stringContaining("https://api.test"),
  });
  expect(session.headers.has("Strict-Transport-Security")).toBe(false);
});

test("signing out over https uses a cookie that only the app host can set", async () => {
  const headers = { Origin: "https://app.test", Cookie: `__Host-signpost_session=${"a".repeat(48)}` };
  const response = await request("https://app.test/sign-out", { method: "POST", headers });
  expect(response.status).toBe(303);
  expect(response.headers.get("Set-Cookie")).toBe(
    "__Host-signpost_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
  );
});

test("short hosts redirect over plain http, and send HSTS over https, also with errors", async () => {
  const workspace = await newWorkspace();
  const { short_code } = await createLink(workspace);
  for (const [path, status] of [
    [short_code, 302],
    ["missing", 404],
    [".well-known/assetlinks.json", 404],
  ] as const) {
    for (const [scheme, hsts] of [
      ["http", null],
      ["https", HSTS],
    ] as const) {
      const response = await request(`${scheme}://${workspace.hostname}/${path}`);
      expect([response.status, response.headers.get("Strict-Transport-Security")]).toEqual([status, hsts]);
    }
  }
});

describe("links with a password, a scan limit, a button or a preview", () => {
  const GUARDS = [
    { password: "open sesame" },
    { max_scans: 1 },
    { confirm: true },
    { preview: { title: "Sale", description: null, image_url: null } },
  ];

  test.each(GUARDS)("redirect to https before anything else: %j", async (guard) => {
    const workspace = await newWorkspace();
    const { short_code } = await createLink(workspace, guard);
    const path = `${workspace.hostname}/${short_code}?utm=1`;
    for (const [method, status] of [
      ["GET", 308],
      ["HEAD", 308],
      ["POST", 303],
    ] as const) {
      const response = await request(`http://${path}`, { method });
      expect([response.status, response.headers.get("Location")]).toEqual([status, `https://${path}`]);
      expect(response.headers.get("Cache-Control")).toBe("private, no-store");
      expect(response.headers.has("Set-Cookie")).toBe(false);
    }
    // The redirects have used up no scan.
    const status = "password" in guard || "confirm" in guard ? 200 : 302;
    const headers = {
      "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
      "Sec-Fetch-Mode": "navigate",
    };
    expect((await request(`https://${path}`, { headers })).status).toBe(status);
  });

  test("take passwords over https only, and set a cookie that is sent over https only", async () => {
    const workspace = await newWorkspace();
    const { short_code } = await createLink(workspace, { password: "open sesame" });
    const enter = (scheme: string) =>
      request(`${scheme}://${workspace.hostname}/${short_code}`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "password=open+sesame",
      });
    expect((await enter("http")).headers.get("Location")).toMatch(/^https:/);
    const entered = await enter("https");
    expect(entered.headers.get("Location")).toBe("https://example.com/");
    expect(entered.headers.get("Set-Cookie")).toMatch(/; Secure$/);
  });
});

test("local development serves every surface over plain http, without HSTS", async () => {
  for (const url of ["http://localhost:8787/healthz", "http://bio.localhost:8787/nobody"]) {
    const response = await send(new Request(url));
    expect(response.status).not.toBe(403);
    expect(response.headers.has("Strict-Transport-Security")).toBe(false);
  }
});
