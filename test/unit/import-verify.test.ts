import { describe, expect, test } from "vitest";
import { findDifference, type UrlResult } from "../../src/client/import/compare-responses.ts";
import { createPacer } from "../../src/client/import/pacer.ts";
import { prepareImport } from "../../src/client/import/prepare-import.ts";
import { findHostProblem, type RequestPlatform, requestUrl } from "../../src/client/import/request-url.ts";
import {
  listRowsToVerify,
  pickSample,
  type VerifiedRow,
  verifyRows,
} from "../../src/client/import/verify-import.ts";
import { buildImportFile, buildImportRow, openFakeTarget } from "../support/import-target.ts";

const A = "https://a.example/";
const to = (location: string, status = 302): UrlResult => ({ status, location });
const page = (status: number): UrlResult => ({ status, location: null });

describe("two URLs", () => {
  test.each<[UrlResult, UrlResult]>([
    [to(A, 301), to(A, 302)],
    [to("https://A.example"), to(A)],
    [to("https://a.example:443/x/"), to("https://a.example/x")],
    [page(404), page(410)],
    [page(200), page(401)],
    [page(500), page(500)],
  ])("with the responses %j and %j match", (former, current) => {
    expect(findDifference(former, current)).toBeNull();
  });

  test.each<[UrlResult, UrlResult, string]>([
    [
      to(A),
      to("https://a.example/x"),
      "redirected to https://a.example/, now redirects to https://a.example/x",
    ],
    [
      to("https://a.example/X"),
      to("https://a.example/x"),
      "redirected to https://a.example/X, now redirects to https://a.example/x",
    ],
    [
      to("https://a.example/?a"),
      to(A),
      "redirected to https://a.example/?a, now redirects to https://a.example/",
    ],
    [to("http://a.example/"), to(A), "redirected to http://a.example/, now redirects to https://a.example/"],
    [to(A), page(410), "redirected to https://a.example/, now returns 410"],
    [page(404), to(A), "returned 404, now redirects to https://a.example/"],
    [page(200), page(404), "returned 200, now returns 404"],
    [page(500), page(503), "returned 500, now returns 503"],
    [{ problem: "timed out" }, to(A), "the old URL timed out"],
    [to(A), { problem: "did not respond: ECONNREFUSED" }, "the new URL did not respond: ECONNREFUSED"],
  ])("with the responses %j and %j differ", (former, current, difference) => {
    expect(findDifference(former, current)).toBe(difference);
  });
});

test.each([
  ["https://bit.ly/x", null],
  ["http://bit.ly/x", null],
  ["http://127.0.0.1/x", "must use a public hostname"],
  ["http://2130706433/x", "must use a public hostname"],
  ["https://[::1]/x", "must use a public hostname"],
  ["http://10.0.0.1/x", "must use a public hostname"],
  ["http://router.local/x", "must use a public hostname"],
  ["http://localhost/x", "must use a public hostname"],
  ["https://user@bit.ly/x", "must not contain a user name"],
  ["https://bit.ly:22/x", "must use port"],
  ["ftp://bit.ly/x", "must be an http or https URL"],
  ["bit.ly/x", "must be a URL"],
])("the host of %s is requested unless it is private", (address, problem) => {
  if (problem === null) expect(findHostProblem(address)).toBeNull();
  else expect(findHostProblem(address)).toContain(problem);
});

describe("a URL", () => {
  const ways = { mayUseGet: true, findProblem: () => null };

  /** Opens a platform that responds by method and URL, and records requests. */
  function openPlatform(answers: Record<string, [status: number, location?: string] | Error>) {
    const asked: string[] = [];
    const agents = new Set<string>();
    const platform: RequestPlatform = {
      timeoutMs: 1_000,
      takeTurn: async () => void asked.push("turn"),
      fetch: async (address, { method, headers, redirect }) => {
        asked.push(`${method} ${address} ${redirect}`);
        agents.add(new Headers(headers).get("User-Agent") ?? "");
        const answer = answers[`${method} ${address}`] ?? [404];
        if (answer instanceof Error) throw answer;
        const [status, location] = answer;
        return new Response(null, { status, headers: location === undefined ? {} : { Location: location } });
      },
    };
    return { platform, asked, agents };
  }

  test("is requested with HEAD, in its turn, without following redirects", async () => {
    const { platform, asked, agents } = openPlatform({ "HEAD https://old.example/a": [301, "/b?c"] });
    expect(await requestUrl("https://old.example/a", platform, ways)).toEqual(
      to("https://old.example/b?c", 301),
    );
    expect(asked).toEqual(["turn", "HEAD https://old.example/a manual"]);
    expect([...agents][0]).toMatch(/^signpost-import-verify\/1 \(bot/);
  });

  test.each([405, 501, 403])(
    "that rejects HEAD with %d is requested with GET, if allowed",
    async (status) => {
      const { platform } = openPlatform({
        "HEAD https://old.example/a": [status],
        "GET https://old.example/a": [302, A],
      });
      expect(await requestUrl("https://old.example/a", platform, ways)).toEqual(to(A));
      expect(await requestUrl("https://old.example/a", platform, { ...ways, mayUseGet: false })).toEqual(
        page(status),
      );
    },
  );

  test("that redirects to its own https version is requested there, a limited number of times", async () => {
    const { platform, asked } = openPlatform({
      "HEAD http://old.example/a": [301, "https://old.example/a"],
      "HEAD https://old.example/a": [301, "https://www.old.example/a/"],
      "HEAD https://www.old.example/a/": [302, A],
      "HEAD https://loop.example/a": [302, "https://loop.example/a/"],
      "HEAD https://loop.example/a/": [302, "https://loop.example/a"],
    });
    expect(await requestUrl("http://old.example/a", platform, ways)).toEqual(to(A));
    asked.length = 0;
    await requestUrl("https://loop.example/a", platform, ways);
    expect(asked).toHaveLength(8);
  });

  test("on a private host is not requested, even as the target of such a redirect", async () => {
    const { platform, asked } = openPlatform({ "HEAD https://old.example/a": [301, "http://old.example/a"] });
    const findProblem = (address: string) => (address.startsWith("http:") ? "must be public" : null);
    expect(await requestUrl("http://old.example/a", platform, { ...ways, findProblem })).toEqual({
      problem: "was not checked: it must be public",
    });
    expect(asked).toEqual([]);
    expect(await requestUrl("https://old.example/a", platform, { ...ways, findProblem })).toHaveProperty(
      "problem",
    );
  });

  test("without a response has the reason", async () => {
    const timeout = new DOMException("too late", "TimeoutError");
    const refused = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
    const { platform } = openPlatform({ "HEAD https://a.test/": timeout, "HEAD https://b.test/": refused });
    expect(await requestUrl("https://a.test/", platform, ways)).toEqual({ problem: "timed out" });
    expect(await requestUrl("https://b.test/", platform, ways)).toEqual({
      problem: "did not respond: ECONNREFUSED",
    });
  });
});

test("turns begin at least 100 ms apart, even if requested together", async () => {
  let now = 1_000;
  const waits: number[] = [];
  const takeTurn = createPacer(100, {
    nowMs: () => now,
    sleep: async (durationMs) => void waits.push(durationMs),
  });
  await Promise.all([takeTurn(), takeTurn(), takeTurn()]);
  expect(waits).toEqual([100, 200]);
  now = 5_000;
  await takeTurn();
  expect(waits).toHaveLength(2);
});

test("rows are compared with their created links, and rows without a link are listed", async () => {
  const rows = [
    buildImportRow(2, A, "same"),
    buildImportRow(3, A, "taken"),
    buildImportRow(4, A, "gone"),
    buildImportRow(5, A),
    { line: 6, formerUrl: "https://old.example/f", problem: "has no URL" },
  ];
  const links = { same: A, taken: "https://b.example/", "taken-2": A };
  const plan = await prepareImport(openFakeTarget(links), buildImportFile(rows), { onConflict: "skip" });
  const toVerify = listRowsToVerify(plan);
  expect(toVerify).toEqual([
    { line: 2, formerUrl: "https://old.example/same", shortUrl: "https://go.example/same" },
    { line: 3, formerUrl: "https://old.example/taken", shortUrl: "https://go.example/taken" },
    { line: 4, formerUrl: "https://old.example/gone", shortUrl: null },
  ]);
  const results: VerifiedRow[] = [];
  const asked: string[] = [];
  const ask = async (address: string) => {
    asked.push(address);
    return address === "https://go.example/taken" ? page(404) : to(A);
  };
  await verifyRows(
    toVerify,
    { requestFormer: ask, requestCurrent: ask },
    { onResult: (row) => results.push(row) },
  );
  expect(results.map(({ line, difference }) => [line, difference]).sort()).toEqual([
    [2, null],
    [3, "redirected to https://a.example/, now returns 404"],
    [4, "no such link in this workspace"],
  ]);
  expect(asked).toHaveLength(4);
  const ended: VerifiedRow[] = [];
  await verifyRows(
    toVerify,
    { requestFormer: ask, requestCurrent: ask },
    { onResult: (row) => ended.push(row), signal: AbortSignal.abort() },
  );
  expect(ended).toEqual([]);
});

test("five rows are requested in parallel", async () => {
  const rows = Array.from({ length: 12 }, (_, line) => ({ line, formerUrl: A, shortUrl: A }));
  let underWay = 0;
  let most = 0;
  const ask = async () => {
    most = Math.max(most, ++underWay);
    await Promise.resolve();
    underWay--;
    return to(A);
  };
  await verifyRows(rows, { requestFormer: ask, requestCurrent: ask }, { onResult: () => {} });
  expect(most).toBe(5);
});

test("a sample is spread over the file", () => {
  const rows = Array.from({ length: 10 }, (_, index) => index);
  expect(pickSample(rows, 5)).toEqual([0, 2, 4, 6, 8]);
  expect(pickSample(rows, 3)).toEqual([0, 3, 6]);
  expect(pickSample(rows, 10)).toEqual(rows);
  expect(pickSample(rows, 99)).toEqual(rows);
});
