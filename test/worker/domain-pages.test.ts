import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { formatCacheUrl } from "../../src/caching/data-centre.ts";
import { formatHostKey } from "../../src/change-feed/change-key.ts";
import { getSettings } from "../../src/env.ts";
import { forgetAll, resolver } from "../../src/resolving/resolve.ts";
import { createActiveDomain, createDomain, newHostname, visitHost } from "../support/domains.ts";
import {
  addDomain,
  countingEnv,
  createLink,
  eventually,
  newWorkspace,
  send,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { buildEnvWithoutDatabase, forgetFeed } from "../support/redirects.ts";

/**
 * Responses of a short host without a link: its root, unknown paths, expired links and well-known documents.
 */

const APPLE = "/.well-known/apple-app-site-association";
const ANDROID = "/.well-known/assetlinks.json";
const ROOT = "https://example.com/";
const NOT_FOUND = "https://example.com/not-found?a=1";
const EXPIRED = "https://example.com/over";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await newWorkspace("business");
  forgetAll();
});

async function patchDomain(id: string, body: object): Promise<void> {
  expect((await workspace.call("PATCH", `/v1/domains/${id}`, { body })).status).toBe(200);
}

async function countScans(linkId: string): Promise<unknown> {
  const response = await workspace.call("GET", `/v1/links/${linkId}`);
  return (await response.json<{ data: { scan_count: number } }>()).data.scan_count;
}

async function createDisabledLink() {
  const link = await createLink(workspace);
  expect((await workspace.call("PATCH", `/v1/links/${link.id}`, { body: { enabled: false } })).status).toBe(
    200,
  );
  return link;
}

/** Returns status and `Location`. */
function summarize({ status, headers }: Response): [number, string | null] {
  return [status, headers.get("Location")];
}

describe("fallback URLs of a host", () => {
  test("root_url, not_found_url and expired_url redirect with a private 302 and count no scans", async () => {
    const settings = { root_url: ROOT, not_found_url: NOT_FOUND, expired_url: EXPIRED };
    const { hostname } = await createActiveDomain(workspace, settings);
    const ended = await createLink(workspace, { expires_at: "2020-01-01T00:00:00Z" });
    const disabled = await createDisabledLink();
    const live = await createLink(workspace);
    const writeDataPoint = vi.fn();
    const env = { ...workerEnv, SCANS: { writeDataPoint } } as Env;
    const cases = [
      ["/", ROOT],
      ["/unknown", NOT_FOUND],
      ["/a/b", NOT_FOUND],
      [`/${ended.short_code}`, EXPIRED],
      [`/${disabled.short_code}`, EXPIRED],
    ];
    for (const method of ["GET", "HEAD"]) {
      for (const [path, address] of cases) {
        const request = new Request(`http://${hostname}:8787${path}`, { method, redirect: "manual" });
        const response = await send(request, env);
        expect(summarize(response), `${method} ${path}`).toEqual([302, address]);
        expect(response.headers.get("Cache-Control")).toBe("private, no-store");
        expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
      }
    }
    expect(writeDataPoint).not.toHaveBeenCalled();
    expect(await countScans(ended.id)).toBe(0);
    expect(summarize(await visitHost(hostname, `/${live.short_code}`))).toEqual([
      302,
      "https://example.com/",
    ]);
    // The workspace's other hosts have their own settings.
    expect(
      await Promise.all(["/", "/unknown"].map(async (path) => (await workspace.visit(path)).status)),
    ).toEqual([404, 404]);
    expect((await workspace.visit(`/${ended.short_code}`)).status).toBe(410);
    expect((await visitHost(hostname, "/", { method: "POST" })).status).toBe(405);
  });

  test("POST /v1/links/{link_id}/resolve returns the fallback URL of the primary domain", async () => {
    const settings = { not_found_url: NOT_FOUND, expired_url: EXPIRED };
    const { id } = await createActiveDomain(workspace, settings);
    const ended = await createDisabledLink();
    const later = await createLink(workspace, { starts_at: "2099-01-01T00:00:00Z" });
    const own = "https://example.com/own";
    const ownEnd = await createLink(workspace, { expires_at: "2020-01-01T00:00:00Z", expired_url: own });
    const explain = async (linkId: string) => {
      const response = await workspace.call("POST", `/v1/links/${linkId}/resolve`);
      const { data } = await response.json<{ data: Record<string, unknown> }>();
      return [data.outcome, data.status, data.destination];
    };
    expect(await explain(ended.id)).toEqual(["gone", 410, null]);
    expect(await explain(later.id)).toEqual(["unknown", 404, null]);
    await patchDomain(id, { is_primary: true });
    expect(await explain(ended.id)).toEqual(["gone", 302, EXPIRED]);
    expect(await explain(later.id)).toEqual(["unknown", 302, NOT_FOUND]);
    expect(await explain(ownEnd.id)).toEqual(["expired", 302, own]);
  });

  test("a host without settings has the default error pages", async () => {
    const { hostname } = await createActiveDomain(workspace);
    const ended = await createDisabledLink();
    const statuses = await Promise.all(
      ["/", "/unknown", "/a/b", `/${ended.short_code}`].map(
        async (path) => (await visitHost(hostname, path)).status,
      ),
    );
    expect(statuses).toEqual([404, 404, 404, 410]);
  });

  test("a URL that becomes a short host is no longer used, and is used again once the host is removed", async () => {
    const later = newHostname();
    const address = `http://${later}:8787/x`;
    const { id, hostname } = await createActiveDomain(workspace, { root_url: address });
    expect(summarize(await visitHost(hostname, "/"))).toEqual([302, address]);
    await addDomain(await newWorkspace(), later);
    const { results } = await workerEnv.DIRECTORY.prepare(
      "SELECT hostname FROM host_changes WHERE hostname = ?",
    )
      .bind(later)
      .all();
    expect(results).toHaveLength(1);
    forgetAll();
    await forgetHost(hostname);
    expect(summarize(await visitHost(hostname, "/"))).toEqual([404, null]);
    const patch = await workspace.call("PATCH", `/v1/domains/${id}`, { body: { expired_url: address } });
    expect(patch.status).toBe(400);
  });

  test("a failing database does not break the error pages, and nothing is cached for a pending host", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const { hostname } = await createDomain(workspace, newHostname(), { root_url: ROOT });
    expect((await visitHost(hostname, "/")).status).toBe(404);
    const request = new Request(`http://${newHostname()}:8787/`, { redirect: "manual" });
    expect((await send(request, buildEnvWithoutDatabase())).status).toBe(404);
  });

  test("changing an active domain adds a numbered change of its host, changing a pending domain does not", async () => {
    const active = await createActiveDomain(workspace);
    const pending = await createDomain(workspace, newHostname());
    const countChanges = async (hostname: string) =>
      workerEnv.DIRECTORY.prepare("SELECT count(*) AS n FROM host_changes WHERE hostname = ?")
        .bind(hostname)
        .first("n");
    expect(await countChanges(active.hostname)).toBe(1);
    await patchDomain(active.id, { root_url: ROOT });
    await patchDomain(active.id, { root_url: ROOT });
    expect(await countChanges(active.hostname)).toBe(2);
    await patchDomain(active.id, { assetlinks: [{}] });
    expect(await countChanges(active.hostname)).toBe(3);
    expect((await workspace.call("DELETE", `/v1/domains/${active.id}`)).status).toBe(200);
    expect(await countChanges(active.hostname)).toBe(4);
    await patchDomain(pending.id, { root_url: ROOT, assetlinks: [{}] });
    expect(await countChanges(pending.hostname)).toBe(0);
  });

  test("without the feed, a deleted domain and a changed setting are seen within 35 seconds of the change", async () => {
    await forgetFeed();
    const startMs = Date.now();
    let nowMs = startMs;
    const domain = await createActiveDomain(workspace, { root_url: ROOT });
    const { short_code: code } = await createLink(workspace);
    vi.spyOn(Date, "now").mockImplementation(() => nowMs);
    onTestFinished(() => void vi.restoreAllMocks());
    // The collector keeps the clock with which it was created.
    await evictDurableObject(workerEnv.CHANGE_COLLECTOR.getByName("collector"));
    const visit = async () => [
      (await visitHost(domain.hostname, `/${code}`)).status,
      (await visitHost(domain.hostname, "/")).headers.get("Location"),
    ];
    expect(await visit()).toEqual([302, ROOT]);
    await patchDomain(domain.id, { root_url: NOT_FOUND });
    for (; nowMs < startMs + 35_000; nowMs += 3_000) await visit();
    // On a busy machine a slow read can serve the old entry for some more seconds.
    const visitLater = () => {
      nowMs += 1_000;
      return visit();
    };
    await eventually(visitLater, ([, location]) => location === NOT_FOUND);
    expect((await workspace.call("DELETE", `/v1/domains/${domain.id}`)).status).toBe(200);
    for (const endMs = nowMs + 35_000; nowMs < endMs; nowMs += 3_000) await visit();
    await eventually(visitLater, ([status]) => status === 404);
  });
});

describe("well-known documents", () => {
  const apple = { applinks: { details: [{ appIDs: ["A.b"] }] } };
  const android = [{ relation: ["r"], target: { namespace: "android_app" } }];

  test("return 200 with JSON and are never redirected, even if the host has a not_found_url", async () => {
    const settings = { not_found_url: NOT_FOUND, apple_app_site_association: apple, assetlinks: android };
    const { hostname } = await createActiveDomain(workspace, settings);
    for (const [path, document] of [
      [APPLE, apple],
      [ANDROID, android],
    ] as const) {
      const response = await visitHost(hostname, path);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("application/json");
      expect(response.headers.get("Cache-Control")).toBe("public, no-cache");
      expect(await response.json()).toEqual(document);
      const etag = response.headers.get("ETag") ?? "";
      const unmodified = await visitHost(hostname, path, { headers: { "If-None-Match": etag } });
      expect([unmodified.status, await unmodified.text()]).toEqual([304, ""]);
      const changed = await visitHost(hostname, path, { headers: { "If-None-Match": '"former"' } });
      expect([changed.status, await changed.json()]).toEqual([200, document]);
      const head = await visitHost(hostname, path, { method: "HEAD" });
      expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, etag, ""]);
      expect((await visitHost(hostname, path, { method: "POST" })).status).toBe(405);
    }
    for (const path of ["/.well-known/other", `${APPLE}/`, "/.well-known/"]) {
      expect(summarize(await visitHost(hostname, path))).toEqual([404, null]);
    }
    expect((await workspace.visit(APPLE)).status).toBe(404);
  });

  test("return 404 if they are not set on the host", async () => {
    const { id, hostname } = await createActiveDomain(workspace, {
      assetlinks: android,
      not_found_url: NOT_FOUND,
    });
    expect(summarize(await visitHost(hostname, APPLE))).toEqual([404, null]);
    expect((await visitHost(hostname, ANDROID)).status).toBe(200);
    await patchDomain(id, { assetlinks: null });
    forgetAll();
    await forgetHost(hostname);
    expect(summarize(await visitHost(hostname, ANDROID))).toEqual([404, null]);
  });

  test("change with the host, are read once per data centre, and are not cached with redirects", async () => {
    const large = { a: "x".repeat(130_000) };
    const { id, hostname } = await createActiveDomain(workspace, { apple_app_site_association: large });
    const before = resolver.hosts.measure().bytes;
    const { env, trips } = countingEnv();
    const read = async () => {
      const response = await send(new Request(`http://${hostname}:8787${APPLE}`), env);
      expect(response.status).toBe(200);
      return response.json();
    };
    expect(await read()).toEqual(large);
    expect(trips()).toBe(2);
    expect(await read()).toEqual(large);
    expect(trips()).toBe(2);
    expect(resolver.hosts.measure().bytes - before).toBeLessThan(2_000);
    await patchDomain(id, { apple_app_site_association: apple });
    forgetAll();
    await forgetHost(hostname);
    expect(await read()).toEqual(apple);
  });

  test("are not looked up for a visitor who requested too many unknown hosts", async () => {
    const env = { ...workerEnv, UNKNOWN_LIMIT: { limit: async () => ({ success: false }) } } as Env;
    const headers = { "CF-Connecting-IP": "198.51.100.77" };
    const nowMs = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(nowMs);
    onTestFinished(() => void vi.restoreAllMocks());
    const visit = () => send(new Request(`http://${newHostname()}:8787${ANDROID}`, { headers }), env);
    for (let count = 0; count < 21; count++) expect((await visit()).status).toBe(404);
    const refused = await visit();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
  });

  test("need one read of the database, and return 503 if it fails", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const { hostname } = await createActiveDomain(workspace, { assetlinks: android });
    const request = new Request(`http://${hostname}:8787${ANDROID}`);
    const response = await send(request, buildEnvWithoutDatabase());
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
  });
});

/** Deletes a host's entries in the data centre's cache, as the change feed does. */
async function forgetHost(hostname: string): Promise<void> {
  await caches.default.delete(formatCacheUrl(getSettings(workerEnv), formatHostKey(hostname)));
}
