import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Schemas } from "../../src/client/client.ts";
import type { LinkAnswer } from "../../src/links/links.schema.ts";
import {
  admin,
  eventually,
  freePort,
  freshFolder,
  type RunningService,
  startService,
} from "./support/service.ts";

/** What a newcomer does in a first session, over HTTP, with the real command, a crash included. */

const folder = freshFolder();
let service: RunningService;

beforeAll(async () => {
  service = await startService(folder, await freePort());
}, 150_000);
afterAll(() => service.stop());

async function readLink(id: string): Promise<LinkAnswer> {
  const { data } = await service.client.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } });
  return data?.data as LinkAnswer;
}

async function createLink(body: Schemas["NewLink"]): Promise<LinkAnswer> {
  const { data, response } = await service.client.POST("/v1/links", { body });
  expect(response.status).toBe(201);
  return data?.data as LinkAnswer;
}

test("the printed curl works as pasted, and its link redirects and is counted", async () => {
  const curl = /curl (?:.*\\\n)+.*/.exec(service.output)?.[0] ?? "";
  const { stdout } = await promisify(execFile)("sh", ["-c", curl]);
  const { data: link }: { data: LinkAnswer } = JSON.parse(stdout);
  expect(link.short_url).toBe(`${service.url}/${link.short_code}`);

  const visited = await fetch(link.short_url, { redirect: "manual" });
  expect(visited.status).toBe(302);
  expect(visited.headers.get("Location")).toBe("https://example.com/");

  const counted = await eventually(
    () => readLink(link.id),
    ({ scan_count }) => scan_count > 0,
    5_000,
  );
  expect(counted).toMatchObject({ scan_count: 1, last_scan_at: expect.any(String) });
});

test("a workspace made by the admin command while the service runs has its own host, key and codes", async () => {
  const made = await admin<{ domain: string }>(
    folder,
    "workspace",
    "create",
    "--slug",
    "acme",
    "--name",
    "Acme; BEGIN TRANSACTION; COMMIT;",
    "--plan",
    "pro",
  );
  expect(made.domain).toBe(`acme.localhost:${service.port}`);
  const all = await admin<{ slug: string; name: string }[]>(folder, "workspace", "list");
  expect(all.map(({ slug, name }) => `${slug}: ${name}`)).toEqual([
    "demo: Demo",
    "acme: Acme; BEGIN TRANSACTION; COMMIT;",
  ]);
  const { key, prefix } = await admin<{ key: string; prefix: string }>(
    folder,
    "key",
    "create",
    "--workspace",
    "acme",
  );
  const asAcme = { Authorization: `Bearer ${key}` };

  const slug = { custom_slug: "spring" };
  const ofDemo = await createLink({ url: "https://example.com/demo", ...slug });
  const response = await service.call(
    "POST",
    "/v1/links",
    { url: "https://example.com/acme", ...slug },
    asAcme,
  );
  expect(response.status).toBe(201);
  expect((await service.visit("localhost", "/spring")).headers.get("Location")).toBe(
    "https://example.com/demo",
  );
  expect((await service.visit(made.domain, "/spring")).headers.get("Location")).toBe(
    "https://example.com/acme",
  );
  expect((await service.call("GET", `/v1/links/${ofDemo.id}`, undefined, asAcme)).status).toBe(404);

  await admin(folder, "key", "revoke", prefix);
  expect((await service.call("GET", "/v1/links", undefined, asAcme)).status).toBe(401);
});

test("everything acknowledged is there after a SIGKILL, the quota included", async () => {
  const links = await Promise.all(
    Array.from({ length: 20 }, (_, index) => createLink({ url: `https://example.com/${index}` })),
  );
  const usage = async () =>
    (await service.client.GET("/v1/workspace/usage")).data?.data.usage.api_calls_this_month ?? 0;
  const callsBefore = await usage();
  const { key, port } = service;

  await service.kill();
  service = await startService(folder, port);

  expect(service.key).toBe(key);
  expect(await usage()).toBe(callsBefore + 1);
  for (const link of links) expect(await readLink(link.id)).toEqual(link);
  expect((await service.visit("localhost", `/${links[0]?.short_code}`)).status).toBe(302);
});

test("an orderly stop loses no scan, and the next start says where and what everything is now", async () => {
  const link = await createLink({ url: "https://example.com/moved" });
  const { key } = service;
  await admin(folder, "workspace", "set-plan", "demo", "enterprise");
  await admin(folder, "key", "revoke", key);
  for (let scan = 0; scan < 5; scan++) await service.visit("localhost", `/${link.short_code}`);
  await service.stop();

  service = await startService(folder, await freePort());
  expect(service.output).toContain("demo (plan enterprise)");
  expect(service.key).not.toBe(key);
  expect(await readLink(link.id)).toMatchObject({
    short_url: `${service.url}/${link.short_code}`,
    scan_count: 5,
  });
});

test("the service ends with npm, even by SIGKILL", async () => {
  await service.killNpm();
});
