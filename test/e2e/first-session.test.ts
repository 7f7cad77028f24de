import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import type { DayCosts } from "../../src/cli/cost-records.ts";
import { closeDatabases } from "../../src/cli/local-databases.ts";
import { StateFolder } from "../../src/cli/state.ts";
import type { Schemas } from "../../src/client/client.ts";
import type { LinkResponse } from "../../src/links/link-response.ts";
import { eventually } from "../support/eventually.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { useAdmin } from "./support/admin.ts";
import {
  createTempFolder,
  findFreePort,
  getWranglerLog,
  killStart,
  runAdmin,
  startPrebuilt,
  startService,
  useDevService,
} from "./support/service.ts";

/**
 * First session of a new user with `npm run dev` and `npm run admin`, over HTTP. Before it, a SIGKILL of npm ended the
 * first start: as soon as wrangler ran, and in a long run once it was ready.
 */

const stateFolder = createTempFolder();
const admin = useAdmin({ stateFolder });
let firstKey: string;

beforeAll(async () => {
  const port = await findFreePort();
  if (IS_LONG) {
    const first = await startService(stateFolder, port);
    await first.killNpm();
  } else {
    const until = getWranglerLog(stateFolder);
    await killStart({ stateFolder, port, until, options: ["--empty"], isNpmOnly: true });
  }
  firstKey = StateFolder.open(stateFolder).saved.demoKey ?? "";
  await admin("workspace", "set-plan", "demo", "enterprise");
  await admin("key", "revoke", firstKey);
  await closeDatabases();
}, 300_000);

const service = useDevService(stateFolder);

async function readLink(id: string): Promise<LinkResponse> {
  const { data } = await service.client.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } });
  return data?.data as LinkResponse;
}

async function readCalls(): Promise<number> {
  return (await service.client.GET("/v1/workspace/usage")).data?.data.usage.api_calls_this_month ?? 0;
}

async function createLink(body: Schemas["NewLink"]): Promise<LinkResponse> {
  const { data, response } = await service.client.POST("/v1/links", { body });
  expect(response.status).toBe(201);
  return data?.data as LinkResponse;
}

test("a start after another one prints its plan and a new key", () => {
  expect(service.output).toContain("demo (plan enterprise)");
  expect(firstKey).toMatch(/^svc_pk_/);
  expect(service.key).not.toBe(firstKey);
});

test("the printed curl command creates a link that redirects and counts scans", async () => {
  const curl = /curl (?:.*\\\n)+.*/.exec(service.output)?.[0] ?? "";
  const { stdout } = await promisify(execFile)("sh", ["-c", curl]);
  const { data: link }: { data: LinkResponse } = JSON.parse(stdout);
  expect(link.short_url).toBe(`${service.url}/${link.short_code}`);
  // The first start had --empty.
  expect((await service.client.GET("/v1/links")).data?.meta.total).toBe(1);

  const visited = await fetch(link.short_url, { redirect: "manual" });
  expect(visited.status).toBe(302);
  expect(visited.headers.get("Location")).toBe("https://example.com/");

  const counted = await eventually(
    () => readLink(link.id),
    ({ scan_count }) => scan_count > 0,
    5_000,
  );
  expect(counted).toMatchObject({ scan_count: 1, last_scan_at: expect.any(String) });

  await eventually(
    () => admin<DayCosts[]>("scans", "cost"),
    (days) => days.length > 0,
  );
  const costs = await admin<DayCosts[]>("scans", "cost");
  expect(costs).toHaveLength(1);
  const [{ day = "", scans, rows_written = 0, rows_per_scan, event_rows } = {}] =
    costs as Partial<DayCosts>[];
  expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect({ scans, rows_per_scan, event_rows }).toEqual({
    scans: 1,
    rows_per_scan: rows_written,
    event_rows: 0,
  });
  expect(rows_written).toBeGreaterThan(2);
});

test("npm run admin creates a workspace with its own host, key and codes while the service runs", async () => {
  const created = await runAdmin<{ domain: string }>(
    stateFolder,
    "workspace",
    "create",
    "--slug",
    "acme",
    "--name",
    "Acme; BEGIN TRANSACTION; COMMIT;",
    "--plan",
    "pro",
  );
  expect(created.domain).toBe(`acme.localhost:${service.port}`);
  const all = await admin<{ slug: string; name: string }[]>("workspace", "list");
  expect(all.map(({ slug, name }) => `${slug}: ${name}`)).toEqual([
    "demo: Demo",
    "acme: Acme; BEGIN TRANSACTION; COMMIT;",
  ]);
  const create = ["key", "create", "--workspace", "acme"];
  const { key, prefix } = await admin<{ key: string; prefix: string }>(...create);
  const asAcme = { Authorization: `Bearer ${key}` };

  const slug = { custom_slug: "spring" };
  const demoLink = await createLink({ url: "https://example.com/demo", ...slug });
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
  expect((await service.visit(created.domain, "/spring")).headers.get("Location")).toBe(
    "https://example.com/acme",
  );
  expect((await service.call("GET", `/v1/links/${demoLink.id}`, undefined, asAcme)).status).toBe(404);

  await admin("key", "revoke", prefix);
  expect((await service.call("GET", "/v1/links", undefined, asAcme)).status).toBe(401);
});

test("commands make no request fail", async () => {
  const statuses: number[] = [];
  let isDone = false;
  const write = async () => {
    while (!isDone)
      statuses.push((await service.call("POST", "/v1/links", { url: "https://example.com/" })).status);
  };
  const writing = write();
  for (let n = 0; n < (IS_LONG ? 10 : 2); n++) {
    await admin("name", "reserve", `beside-${n}`);
    await admin("shard", "list");
  }
  isDone = true;
  await writing;
  expect(new Set(statuses)).toEqual(new Set([201]));
});

test("the printed URL signs the demo's owner in once, and the admin command creates more", async () => {
  const host = `app.localhost:${service.port}`;
  const origin = `http://${host}`;
  const use = async (address: string) => {
    const { pathname } = new URL(address);
    expect((await service.visit(host, pathname)).status).toBe(200);
    const signIn = () => service.visit(host, pathname, { method: "POST", headers: { Origin: origin } });
    const response = await signIn();
    expect(response.status).toBe(303);
    expect((await signIn()).status).toBe(410);
    return (response.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
  };
  const printed = /Sign in +(http:\S+)/.exec(service.output)?.[1] ?? "";
  expect(printed.startsWith(`${origin}/sign-in/link/`)).toBe(true);
  const owner = await use(printed);
  const page = await (await service.visit(host, "/sign-in", { headers: { Cookie: owner } })).text();
  expect(page).toContain("owner@demo.example");
  const session = await service.visit(host, "/v1/session", { headers: { Cookie: owner } });
  expect(await session.json()).toMatchObject({ data: { role: "owner", workspace: { slug: "demo" } } });

  const grace = ["--workspace", "demo", "--email", "Grace@Example.com"];
  await admin("member", "add", ...grace, "--name", "Grace");
  const setRole = await admin<{ role: string }>("member", "set-role", ...grace, "--role", "editor");
  expect(setRole.role).toBe("editor");
  const { url } = await admin<{ url: string }>("sign-in-link", ...grace);
  const cookie = await use(url);
  const asGrace = await service.visit(host, "/v1/session", { headers: { Cookie: cookie } });
  expect(await asGrace.json()).toMatchObject({ data: { email: "grace@example.com", role: "editor" } });
});

test("npm run admin creates tokens with which an identity provider manages members", async () => {
  const created = await admin<{ id: string; prefix: string; token: string; url: string }>(
    ...["scim-token", "create", "demo", "--email-domain", "Okta.example", "--email-domain", "x.example"],
  );
  expect(created.url).toBe(`${service.url}/scim/v2`);
  expect(await admin("scim-token", "list", "demo")).toEqual([
    {
      id: created.id,
      prefix: created.prefix,
      email_domains: ["okta.example", "x.example"],
      created_at: expect.any(String),
    },
  ]);
  const provision = (userName: string) =>
    fetch(`${created.url}/Users`, {
      method: "POST",
      headers: { Authorization: `Bearer ${created.token}`, "Content-Type": "application/scim+json" },
      body: JSON.stringify({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName }),
    });
  const response = await provision("kay@okta.example");
  expect(response.status).toBe(201);
  const user = (await response.json()) as { id: string; meta: { location: string } };
  expect(user.meta.location).toBe(`${service.url}/scim/v2/Users/${user.id}`);
  const members = await admin<{ id: string; email: string }[]>("member", "list", "demo");
  expect(members).toContainEqual(expect.objectContaining({ id: user.id, is_accepted: 1 }));

  expect(await admin("scim-token", "revoke", created.token)).toMatchObject({
    prefix: created.prefix,
    revoked: true,
  });
  expect((await provision("lea@okta.example")).status).toBe(401);
});

test("a stop loses no scan, link or quota, and the next start has another port", async () => {
  const links = await Promise.all(
    Array.from({ length: 5 }, (_, index) => createLink({ url: `https://example.com/${index}` })),
  );
  const [scanned] = links as [LinkResponse];
  for (let scan = 0; scan < 5; scan++) await service.visit("localhost", `/${scanned.short_code}`);
  const callsBefore = await readCalls();
  const { port } = service;
  await service.stop();

  const { kill, ...next } = await startPrebuilt(stateFolder, await findFreePort());
  Object.assign(service, next);
  expect(await readCalls()).toBe(callsBefore + 1);
  for (const link of links) {
    const short_url = link.short_url.replace(`:${port}`, `:${service.port}`);
    const counts = link === scanned ? { scan_count: 5, last_scan_at: expect.any(String) } : {};
    expect(await readLink(link.id)).toEqual({ ...link, short_url, ...counts });
  }
  expect((await service.visit("localhost", `/${scanned.short_code}`)).status).toBe(302);
  await kill();
});
