import { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import type { Deployment } from "../../src/cli/admin-database.ts";
import { listDeadLetters, replayDeadLetters } from "../../src/cli/dead-letter-records.ts";
import { AccountReader } from "../../src/cli/deployment-account.ts";
import { findProblems } from "../../src/cli/deployment-checks.ts";
import type { DeclaredEnvironment } from "../../src/cli/deployment-config.ts";
import { findHostProblems } from "../../src/cli/deployment-hosts.ts";
import type { WranglerResult } from "../../src/cli/wrangler.ts";

/** Tests how a deployment reads an account and checks hosts and names, without wrangler and workerd. */

const batch = vi.hoisted(() => vi.fn());
vi.mock("../../src/cli/local-databases.ts", () => ({
  runLocalBatch: (_state: object, _binding: string, statements: string[]) => batch(statements),
}));

const ok = (stdout: unknown): WranglerResult => ({
  ok: true,
  stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout),
  stderr: "",
});
const failed = (stderr: string): WranglerResult => ({ ok: false, stdout: "", stderr });

/** Creates a reader whose wrangler returns the given results. `calls` has the arguments of each run. */
function read(respond: (args: readonly string[]) => WranglerResult) {
  const calls: string[] = [];
  const run = async (args: readonly string[]) => {
    calls.push(args.join(" "));
    return respond(args);
  };
  return { reader: new AccountReader(run, "production"), calls };
}

describe("AccountReader", () => {
  test("distinguishes a valid login, no login and a failure", async () => {
    expect(await read(() => ok("{}")).reader.isLoggedIn()).toBe(true);
    expect(await read(() => failed('{"loggedIn": false}')).reader.isLoggedIn()).toBe(false);
    await expect(read(() => failed("no network")).reader.isLoggedIn()).rejects.toThrow("whoami: ");
  });

  test("looks for a bucket in its jurisdiction", async () => {
    const { reader, calls } = read(() => ok("{}"));
    await reader.hasBucket({ name: "files", jurisdiction: null });
    await reader.hasBucket({ name: "files", jurisdiction: "eu" });
    expect(calls).toEqual([
      "r2 bucket info files --json --env production",
      "r2 bucket info files --json --jurisdiction eu --env production",
    ]);
  });

  test("returns the tag of the deployed version, and null if traffic is split between versions", async () => {
    const respond = (...versions: object[]) =>
      read(([command]) => ok(command === "versions" ? { annotations: { "workers/tag": "t" } } : { versions }))
        .reader;
    expect(await respond({ version_id: "1" }).findDeployedTag()).toBe("t");
    expect(await respond({ version_id: "1" }, { version_id: "2" }).findDeployedTag()).toBeNull();
    expect(await respond().findDeployedTag()).toBeNull();
  });

  test("shows wrangler's output if it isn't JSON", async () => {
    await expect(read(() => ok("Please log in")).reader.listDatabases()).rejects.toThrow(
      "d1 list: wrangler did not print JSON:\nPlease log in",
    );
  });

  test("reads queues until a page has no new queue, at most 500 pages", async () => {
    const listPages = async (last: number) => {
      const { reader, calls } = read((args) => {
        const page = Math.min(Number(args[3]), last);
        return ok(`│ id │ name │\n│ ${page} │ queue-${page} │\n`);
      });
      return [(await reader.listQueues()).size, calls.length];
    };
    expect(await listPages(3)).toEqual([3, 4]);
    expect(await listPages(1_000)).toEqual([500, 500]);
  });
});

const URLS = {
  API_URL: "https://api.acme.com",
  BIO_URL: "https://bio.acme.com",
  CDN_URL: "https://cdn.acme.com",
  APP_URL: "https://app.acme.com",
  SHORT_DOMAIN: "acme-go.com",
};

/** Lists the problems of hosts that have all routes. The short domain is its own zone. */
function listHostFaults(change: Partial<typeof URLS>): string[] {
  const vars = { ...URLS, ...change };
  const short = vars.SHORT_DOMAIN;
  const routes = [
    { pattern: `*.${short}/*`, isCustomDomain: false, zone: short },
    ...Object.values(vars).flatMap((url) =>
      URL.canParse(url) ? [{ pattern: new URL(url).hostname, isCustomDomain: true, zone: null }] : [],
    ),
  ];
  return findHostProblems({ vars, routes } as unknown as DeclaredEnvironment, false);
}

describe("the hosts of an environment", () => {
  test("must be hostnames", () => {
    expect(listHostFaults({})).toEqual([]);
    for (const url of ["https://10.0.0.1", "https://acme"]) {
      expect(listHostFaults({ API_URL: url })).toEqual([
        "[vars] API_URL: must be https:// and a hostname, without port, path or query",
      ]);
    }
  });

  test("may be in several zones, including a zone for the short hosts", () => {
    expect(listHostFaults({ BIO_URL: "https://bio.other.com", CDN_URL: "https://cdn.third.com" })).toEqual(
      [],
    );
  });

  test("have a common parent only if there are several", () => {
    const none = { BIO_URL: "", CDN_URL: "", APP_URL: "" };
    const faults = listHostFaults({ API_URL: "https://acme.com", ...none, SHORT_DOMAIN: "go.acme.com" });
    expect(faults.filter((fault) => fault.includes("Universal SSL"))).toEqual([]);
    const below = listHostFaults({ SHORT_DOMAIN: "go.acme.com" });
    expect(below.filter((fault) => fault.includes("Universal SSL"))).toHaveLength(1);
  });
});

test("a resource's name is the Worker's name, or starts with it and a hyphen", () => {
  const declare = (worker: string, names: string[]) =>
    ({
      worker,
      vars: { ...URLS, ALLOW_LOOPBACK: "false" },
      routes: [],
      databases: [],
      secrets: [],
      crons: [],
      bindings: [],
      text: "",
      queues: names.map((name) => ({ name, isDeadLetter: false })),
      buckets: [],
      jurisdiction: null,
    }) as DeclaredEnvironment;
  const names = ["acme", "acme-scans", "acmescans", "other-acme"];
  const options = { hasOwnCertificate: false, jurisdiction: null, folder: "." };
  const faults = findProblems(declare("acme", names), declare("local", []), options);
  expect(faults.filter((fault) => fault.includes("must start with"))).toEqual([
    "[[queues]] queue: acmescans must start with acme, the name of the Worker",
    "[[queues]] queue: other-acme must start with acme, the name of the Worker",
  ]);
});

describe("a local database", () => {
  const deployment = { state: { path: "/none" }, environment: undefined } as unknown as Deployment;

  test("lists the 1,000 oldest dead letters, and marks all dead letters", async () => {
    const database = new DatabaseSync(":memory:");
    database.exec(`CREATE TABLE dead_letters (id, kind, body, failed_at, replay_at);
      WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
      INSERT INTO dead_letters SELECT 'letter-' || n, 'deliveries', '{}', n, NULL FROM numbers`);
    batch
      .mockReset()
      .mockImplementation(async (queries: string[]) =>
        queries.map((query) => ({ results: database.prepare(query).all(), meta: {} })),
      );
    const listed = await listDeadLetters(deployment, "deliveries");
    expect([listed.length, listed[999]?.id]).toEqual([1_000, "letter-999"]);
    expect(await replayDeadLetters(deployment, "deliveries", undefined)).toEqual({
      queue: "deliveries",
      replayed: 1_001,
      expired: 0,
    });
  });
});
