import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { parseSettings } from "../../src/env.ts";
import { findBlockedName, listHostNames, selectBlockedNames } from "../../src/safety/host-names.ts";
import { serveSecurityText } from "../../src/safety/security-text.ts";
import { findSuspended, forgetSuspended } from "../../src/safety/suspended-workspaces.ts";

/** Blocked names, `security.txt`, and the list of suspended workspaces. */

test.each([
  ["https://a.b.test./x", ["a.b.test", "b.test"]],
  ["https://b.test:8443/", ["b.test"]],
  ["http://localhost/", ["localhost"]],
  ["http://[2001:db8::7]/", ["[2001:db8::7]"]],
  // Empty labels must not hide a name.
  ["https://.b.test/", [".b.test", "b.test"]],
  ["https://a..b.test/", ["a..b.test", ".b.test", "b.test"]],
])("a block of %s can name %j", (address, names) => {
  const url = new URL(address);
  expect(listHostNames(url)).toEqual(names);
  for (const name of names) expect(findBlockedName(new Set([name]), url)).toBe(name);
  expect(findBlockedName(new Set(["test"]), url)).toBeUndefined();
  expect(findBlockedName(new Set(), url)).toBeUndefined();
});

test.each<[string, string[]]>([
  ["b.test", ["b.test"]],
  ["a.b.test", ["b.test"]],
  [".b.test", ["b.test"]],
  ["a..b.test", ["b.test"]],
  ["x.a.c.test", ["a.c.test"]],
  ["a.b.test/", ["b.test"]],
  ["ab.test", []],
  ["c.test", []],
  ["b.test.example", []],
  ["free.test", []],
  ["test", []],
])("SQLite finds the blocked names of %s: %j", (hostname, blocked) => {
  const database = new DatabaseSync(":memory:");
  const find = () =>
    database.prepare(`SELECT ${selectBlockedNames("SELECT ? AS name")} AS names`).get(hostname)?.names;
  database.exec("CREATE TABLE blocked_hosts (hostname, is_blocked)");
  expect(find()).toBe("[]");
  database.exec(
    "INSERT INTO blocked_hosts VALUES ('b.test', true), ('a.c.test', true), ('free.test', false), ('test', true)",
  );
  // A block of a name without a dot blocks this host only.
  expect(JSON.parse(String(find()))).toEqual(hostname === "test" ? ["test"] : blocked);
});

test("security.txt is valid for 180 days after midnight, and has no body for HEAD", async () => {
  const nowMs = 20_000 * DAY_MS + 1;
  const serve = (method: string) =>
    serveSecurityText(new Request("https://a.test/", { method }), { abuseContact: "mailto:a@b.test" }, nowMs);
  expect(await serve("GET").text()).toBe(
    `Contact: mailto:a@b.test\nExpires: ${new Date(20_180 * DAY_MS).toISOString()}\nPreferred-Languages: en\n`,
  );
  expect([serve("HEAD").status, await serve("HEAD").text()]).toEqual([200, ""]);
  expect(Object.fromEntries(serve("GET").headers)).toEqual({
    "cache-control": "public, max-age=3600",
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
});

test("security.txt is missing without a contact", async () => {
  const response = serveSecurityText(new Request("https://a.test/"), { abuseContact: null }, 0);
  expect([response.status, await response.text()]).toEqual([404, "This service has no security contact.\n"]);
});

describe("the list of suspended workspaces", () => {
  const NOW_MS = 1_800_000_000_000;
  const hosts = { API_URL: "https://api.test", SHORT_DOMAIN: "go.test", ALLOW_LOOPBACK: "false" };
  const others = { BIO_URL: "https://bio.test", CDN_URL: "https://cdn.test", APP_URL: "https://app.test" };
  const settings = parseSettings({ ...hosts, ...others });
  let [ids, reads, lookUps] = [["one"], 0, 0];
  const directory = {
    withSession: () => ({
      prepare: () => ({
        all: async () => {
          reads += 1;
          if (ids.length === 0) throw new Error("the directory is down");
          return { results: ids.map((id) => ({ id })) };
        },
      }),
    }),
  } as unknown as D1Database;
  /** Returns the suspended workspaces, and whether this took a read of the directory and of the data centre's cache. */
  const find = async (passedMs: number) => {
    const before = [reads, lookUps] as const;
    const written: Promise<unknown>[] = [];
    const found = await findSuspended(directory, settings, NOW_MS + passedMs, (done) => written.push(done));
    await Promise.all(written);
    return [[...found], reads - before[0], lookUps - before[1]];
  };

  beforeEach(() => {
    const stored = new Map<string, Response>();
    const store = {
      match: async (key: string) => {
        lookUps += 1;
        return stored.get(key)?.clone();
      },
      put: async (key: string, value: Response) => void stored.set(key, value),
    };
    vi.stubGlobal("caches", { default: store });
    onTestFinished(() => void vi.unstubAllGlobals());
    forgetSuspended();
    forgetRecurringErrors();
    ids = ["one"];
  });

  test("is kept for 5 seconds by an isolate and for 20 by its data centre", async () => {
    expect(await find(0)).toEqual([["one"], 1, 1]);
    ids = ["two"];
    expect(await find(4_999)).toEqual([["one"], 0, 0]);
    expect(await find(5_000)).toEqual([["one"], 0, 1]);
    expect(await find(9_999)).toEqual([["one"], 0, 0]);
    forgetSuspended();
    expect(await find(19_999)).toEqual([["one"], 0, 1]);
    forgetSuspended();
    expect(await find(20_000)).toEqual([["two"], 1, 1]);
  });

  test("stays the last one while the directory is down, and is empty without one", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    await find(0);
    ids = [];
    expect(await find(20_000)).toEqual([["one"], 1, 1]);
    expect(log.mock.calls.flat()).toEqual([
      expect.stringContaining("the suspended workspaces could not be read"),
    ]);
    forgetSuspended();
    expect(await find(20_000)).toEqual([[], 1, 1]);
  });
});
