import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { findDatabaseFile } from "../../src/cli/local-databases.ts";
import { StateFolder } from "../../src/cli/state.ts";
import { eventually } from "../support/eventually.ts";
import { buildGeoFile } from "../support/geo-file.ts";
import { useAdmin } from "./support/admin.ts";
import { expectData } from "./support/data.ts";
import { createTempFolder, findFreePort, visit } from "./support/service.ts";

/** `npm start`: the service on one machine, over two starts. */

const stateFolder = join(createTempFolder(), "state");
const admin = useAdmin({ stateFolder });

/** Runs the command without npm. */
function run(...args: string[]) {
  const command = ["src/cli/start.ts", "--persist-to", stateFolder, ...args];
  const child = spawn(process.execPath, command, { detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output.text += chunk));
  return { child, exited, output };
}

async function start(
  port: number,
  envFile: string,
): Promise<{ child: ChildProcess; exited: Promise<number | null> }> {
  const { child, exited, output } = run("--port", String(port), "--env-file", envFile);
  await eventually(
    async () => output.text.includes('"ready"') || child.exitCode !== null,
    (isReady) => isReady,
    120_000,
  );
  expect(output.text).toContain('"ready"');
  return { child, exited };
}

/** Returns the number of messages that have been stored in the queue of scans. */
function countStored(): number {
  const files = globSync("v3/do/*DurableQueue/*.sqlite", { cwd: stateFolder });
  const counts = files.map((file) => {
    const database = new DatabaseSync(join(stateFolder, file), { readOnly: true });
    try {
      return Number(database.prepare("SELECT sum(seq) AS n FROM sqlite_sequence").get()?.n ?? 0);
    } catch {
      return 0;
    } finally {
      database.close();
    }
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

test("kill -9 loses no stored scan, a stop counts the last ones, and only the proxy says that a request was https", async () => {
  const port = await findFreePort();
  const envFile = join(createTempFolder(), "signpost.env");
  const hosts = { API_URL: "api", BIO_URL: "bio", CDN_URL: "cdn", APP_URL: "app" };
  const lines = Object.entries(hosts).map(([name, host]) => `${name}=https://${host}.test`);
  const geoFile = join(createTempFolder(), "geo.mmdb");
  writeFileSync(geoFile, buildGeoFile({ "203.0.113.0/24": { country: { iso_code: "CA" } } }));
  writeFileSync(envFile, [...lines, "SHORT_DOMAIN=go.test", `GEO_FILE=${geoFile}`].join("\n"));
  const first = await start(port, envFile);

  await admin("workspace", "create", "--slug", "acme", "--name", "Acme", "--plan", "pro");
  const { key } = await admin<{ key: string }>("key", "create", "--workspace", "acme");
  // As from a proxy that ended TLS.
  const proxied = { "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9" };
  const authorized = { ...proxied, Authorization: `Bearer ${key}` };
  const body = JSON.stringify({ url: "https://example.com/", custom_slug: "spring" });
  const headers = { ...authorized, "Content-Type": "application/json" };
  const created = visit(port, "api.test", "/v1/links", { method: "POST", headers, body });
  const { id, short_url } = await expectData<{ id: string; short_url: string }>(created, 201);
  expect(short_url).toBe("https://acme.go.test/spring");
  expect(
    (await visit(port, "api.test", "/v1/links", { headers: { Authorization: `Bearer ${key}` } })).status,
  ).toBe(403);

  const ask = async (host: string) => (await visit(port, "x", `/self-host/ask?domain=${host}`)).status;
  expect([await ask("acme.go.test"), await ask("app.test"), await ask("other.test")]).toEqual([
    200, 200, 404,
  ]);

  const open = () => visit(port, "acme.go.test", "/spring", { headers: proxied });
  for (let n = 0; n < 3; n++) expect((await open()).status).toBe(302);
  await eventually(
    async () => countStored(),
    (count) => count > 0,
  );
  process.kill(Number(readFileSync(join(stateFolder, "workerd.pid"), "utf8")), "SIGKILL");
  expect(await first.exited).toBe(1);

  const second = await start(port, envFile);
  const other = run("--port", String(await findFreePort()), "--env-file", envFile);
  expect([await other.exited, other.output.text]).toEqual([
    1,
    `${StateFolder.open(stateFolder).path} is in use by another running service; choose a different --persist-to\n`,
  ]);
  await eventually(
    () =>
      expectData<{ scan_count: number }>(visit(port, "api.test", `/v1/links/${id}`, { headers: authorized })),
    ({ scan_count }) => scan_count === 3,
  );
  const path = `/v1/analytics/breakdown?by=country&link_id=${id}`;
  expect(await expectData(visit(port, "api.test", path, { headers: authorized }))).toMatchObject({
    items: [{ value: "CA", scans: 3 }],
  });
  expect((await open()).status).toBe(302);
  expect(await admin<{ ok: boolean }>("status")).toMatchObject({ ok: true });
  // To the whole process group, as a terminal does.
  process.kill(-Number(second.child.pid), "SIGTERM");
  expect(await second.exited).toBe(0);
  const state = StateFolder.open(stateFolder);
  const shard = new DatabaseSync(findDatabaseFile(state, "SHARD_0"), { readOnly: true });
  expect(shard.prepare("SELECT scan_count FROM links WHERE id = ?").get(id)).toEqual({ scan_count: 4 });
  shard.close();
});
