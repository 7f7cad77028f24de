import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Schemas } from "../../src/client/client.ts";
import type { LinkResponse } from "../../src/links/links.schema.ts";
import { holdRaw, sendRaw } from "./support/raw.ts";
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

async function readLink(id: string): Promise<LinkResponse> {
  const { data } = await service.client.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } });
  return data?.data as LinkResponse;
}

async function createLink(body: Schemas["NewLink"]): Promise<LinkResponse> {
  const { data, response } = await service.client.POST("/v1/links", { body });
  expect(response.status).toBe(201);
  return data?.data as LinkResponse;
}

test("the printed curl works as pasted, and its link redirects and is counted", async () => {
  const curl = /curl (?:.*\\\n)+.*/.exec(service.output)?.[0] ?? "";
  const { stdout } = await promisify(execFile)("sh", ["-c", curl]);
  const { data: link }: { data: LinkResponse } = JSON.parse(stdout);
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

test("broken HTTP, bodies without an end and hundreds of connections leave the service up", async () => {
  const { port, key } = service;
  const host = `Host: localhost:${port}\r\n`;
  const post = `POST /v1/links HTTP/1.1\r\n${host}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const mebibyte = "x".repeat(1_048_576);

  const refused = await Promise.all([
    sendRaw(port, [Uint8Array.of(22, 3, 1, 0, 255, 13, 10, 13, 10)]),
    sendRaw(port, [`GET /\0 HTTP/1.1\r\n${host}\r\n`]),
    sendRaw(port, [`GET /healthz HTTP/1.1\r\n${host}X-A: ${mebibyte}`]),
    sendRaw(port, [`${post}Content-Length: 5\r\nContent-Length: 2\r\n\r\n{}   `]),
  ]);
  for (const answer of refused) expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);

  const close = "Connection: close\r\n";
  const chunk = `100000\r\n${mebibyte}\r\n`;
  const large = await Promise.all([
    sendRaw(
      port,
      [`${post}${close}Content-Length: ${20 * 1_048_576}\r\n\r\n`, ...Array(20).fill(mebibyte)],
      20_000,
    ),
    sendRaw(
      port,
      [`${post}${close}Transfer-Encoding: chunked\r\n\r\n`, ...Array(20).fill(chunk), "0\r\n\r\n"],
      20_000,
    ),
  ]);
  for (const answer of large) expect(answer).toMatch(/^HTTP\/1\.1 413 /);

  const held = Array.from({ length: 300 }, () => holdRaw(port, `${post}Content-Length: 9000\r\n\r\n{"url":`));
  const visits = await Promise.all(Array.from({ length: 500 }, () => service.visit("localhost", "/nowhere")));
  expect(visits.map(({ status }) => status)).toEqual(Array(500).fill(404));
  for (const socket of held) socket.destroy();

  const { short_url } = await createLink({ url: "https://example.com/still" });
  expect((await fetch(short_url, { redirect: "manual" })).headers.get("Location")).toBe(
    "https://example.com/still",
  );
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
