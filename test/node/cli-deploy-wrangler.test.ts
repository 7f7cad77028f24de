import { execFile, fork } from "node:child_process";
import { dirname, join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { RunWrangler } from "../../src/cli/deployment-account.ts";
import { listMigrations } from "../../src/cli/deployment-checks.ts";
import { WRANGLER, WRANGLER_ENV } from "../../src/cli/wrangler.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { ACCOUNT_ID, CloudflareApi } from "./support/cloudflare-api.ts";
import { createProject } from "./support/deployment-project.ts";
import { deploy, readDeclared } from "./support/deployment-run.ts";

/** Deploys with the real wrangler, to check that its commands, outputs and errors are as expected. */

/** Timeout. A deployment runs fifteen commands of wrangler. */
const TIMEOUT_MS = 600_000;

const api = await CloudflareApi.start();
afterAll(() => api.close());

const ENV = {
  ...WRANGLER_ENV,
  CLOUDFLARE_API_BASE_URL: api.url,
  CLOUDFLARE_API_TOKEN: "token",
  // Otherwise, wrangler would remember the account for later runs in the project.
  CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
};

/** Reduces production to one resource of each kind. */
function reduce(toml: string): string {
  const parts = toml.split(/^(?=\[)/m);
  const kept = new Set<string>();
  return parts
    .filter((part) => {
      const [header = ""] = part.split("\n");
      const isRepeated = kept.has(header) && /d1_databases|r2_buckets/.test(header);
      kept.add(header);
      const isFurtherQueue =
        /queues/.test(header) && /^queue = ".*(?:page-hits|deliveries|-spare)/m.test(part);
      return !isRepeated && !isFurtherQueue;
    })
    .join("");
}

/** Runs each command in its own process, as users do. */
function startEach(cwd: string): RunWrangler {
  return (args, input = "") =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [WRANGLER, ...args],
        { cwd, env: ENV },
        (error, stdout, stderr) => {
          resolve({ ok: error === null, stdout, stderr });
        },
      );
      child.stdin?.end(input);
    });
}

/** Runs all commands in one process, because each start of wrangler takes more than a second of CPU time. */
function startOnce(cwd: string): RunWrangler {
  const child = fork(join(import.meta.dirname, "support/wrangler-process.ts"), { cwd, env: ENV });
  onTestFinished(() => void child.kill());
  return (args, input = "") =>
    new Promise((resolve, reject) => {
      child.removeAllListeners();
      child.once("message", resolve);
      child.once("exit", (status) => reject(new Error(`wrangler's process ended with ${status}`)));
      child.send({ args, input });
    });
}

test("a deployment with the real wrangler creates everything; long tests also check that repeating it changes nothing", {
  timeout: TIMEOUT_MS,
}, async () => {
  const configFile = createProject(reduce);
  const run = IS_LONG ? startEach(dirname(configFile)) : startOnce(dirname(configFile));
  const first = await deploy({ run }, configFile);
  expect(first).toMatchObject({ status: 0, error: "" });

  const { databases, buckets, queues, secrets, worker } = await readDeclared(configFile);
  const { account } = api;
  expect([...account.databases.keys()]).toEqual(databases.map(({ name }) => name));
  expect([...account.buckets]).toEqual(buckets.map(({ name }) => name));
  expect([...account.queues]).toEqual(
    queues.map(({ name, isDeadLetter }) => [name, isDeadLetter ? 1_209_600 : null]),
  );
  expect(queues.filter(({ isDeadLetter }) => isDeadLetter).length).toBe(1);
  for (const { sqlite } of account.databases.values()) {
    const applied = sqlite.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
    expect(applied.map(({ name }) => name)).toEqual(listMigrations(`${dirname(configFile)}/sql`));
  }
  const { secrets: values, tags, triggerCount } = account.ensureWorker(worker);
  expect([...values.keys()]).toEqual(secrets);
  for (const value of values.values()) expect(value).toMatch(/^[\w-]{43}$/);
  expect(tags).toEqual([null, expect.stringMatching(/^[0-9a-f]{24}$/)]);
  expect(triggerCount).toBe(1);

  expect(first.lines.join("\n")).toContain("read replication");

  if (!IS_LONG) return;
  for (const database of account.databases.values()) database.hasReplicas = true;
  const former = account.describe();
  api.changes.length = 0;
  const repeated = await deploy({ run }, configFile);
  expect(repeated).toMatchObject({ status: 0, error: "" });
  expect(repeated.lines.filter((line) => line.startsWith("+"))).toEqual([]);
  expect(repeated.lines.join("\n")).not.toContain("read replication");
  expect(account.describe()).toEqual(former);
  expect(
    api.changes.filter((line) => !/\/(?:subdomain|routes|records|schedules|consumers)$/.test(line)),
  ).toEqual([]);
});
