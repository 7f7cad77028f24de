import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { forgetRecurringErrors } from "../../src/caching/recurring-errors.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { parseSettings } from "../../src/env.ts";
import { findBlockedName, listHostNames } from "../../src/safety/host-names.ts";
import { serveSecurityText } from "../../src/safety/security-text.ts";
import { findSuspended, forgetSuspended } from "../../src/safety/suspended-workspaces.ts";

/** Blocked names, `security.txt`, and the list of suspended workspaces. */

test.each([
  ["https://a.b.test./x", ["a.b.test", "b.test"]],
  ["https://b.test:8443/", ["b.test"]],
  ["http://localhost/", ["localhost"]],
  ["http://[2001:db8::7]/", ["[2001:db8::7]"]],
])("a block of %s can name %j", (address, names) => {
  const url = new URL(address);
  expect(listHostNames(url)).toEqual(names);
  for (const name of names) expect(findBlockedName(new Set([name]), url)).toBe(name);
  expect(findBlockedName(new Set(["test"]), url)).toBeUndefined();
  expect(findBlockedName(new Set(), url)).toBeUndefined();
});

test("security.txt is valid for 180 days after midnight, and has no body for HEAD", async () => {
  const nowMs = 20_000 * DAY_MS + 1;
  const serve = (method: string) =>
    serveSecurityText(new Request("https://a.test/", { method }), { abuseContact: "mailto:a@b.test" }, nowMs);
  expect(await serve("GET").text()).toBe(
    `Contact: mailto:a@b.test\nExpires: ${new Date(20_180 * DAY_MS).toISOString()}\nPreferred-Languages: en\n`,
  );
  expect([serve("HEAD").status, await serve("HEAD").text()]).toEqual([200, ""]);
});

describe("the list of suspended workspaces", () => {
  const NOW_MS = 1_800_000_000_000;
  const hosts = { API_URL: "https://api.test", SHORT_DOMAIN: "go.test", ALLOW_LOOPBACK: "false" };
  const others = { BIO_URL: "https://bio.test", CDN_URL: "https://cdn.test", APP_URL: "https://app.test" };
  const settings = parseSettings({ ...hosts, ...others });
  let [ids, reads] = [["one"], 0];
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
  /** Returns the suspended workspaces, and whether this took a read of the directory. */
  const find = async (passedMs: number) => {
    const before = reads;
    const written: Promise<unknown>[] = [];
    const found = await findSuspended(directory, settings, NOW_MS + passedMs, (done) => written.push(done));
    await Promise.all(written);
    return [[...found], reads - before];
  };

  beforeEach(() => {
    const stored = new Map<string, Response>();
    const store = {
      match: async (key: string) => stored.get(key)?.clone(),
      put: async (key: string, value: Response) => void stored.set(key, value),
    };
    vi.stubGlobal("caches", { default: store });
    onTestFinished(() => void vi.unstubAllGlobals());
    forgetSuspended();
    forgetRecurringErrors();
    ids = ["one"];
  });

  test("is kept for 5 seconds by an isolate and for 20 by its data centre", async () => {
    expect(await find(0)).toEqual([["one"], 1]);
    ids = ["two"];
    expect(await find(4_999)).toEqual([["one"], 0]);
    expect(await find(5_000)).toEqual([["one"], 0]);
    forgetSuspended();
    expect(await find(19_999)).toEqual([["one"], 0]);
    forgetSuspended();
    expect(await find(20_000)).toEqual([["two"], 1]);
  });

  test("stays the last one while the directory is down, and is empty without one", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    await find(0);
    ids = [];
    expect(await find(20_000)).toEqual([["one"], 1]);
    forgetSuspended();
    expect(await find(20_000)).toEqual([[], 1]);
  });
});
