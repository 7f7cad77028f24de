import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { listPlanWarnings } from "../../src/client/cli/import-texts.ts";
import { runCommand } from "../../src/client/cli/program.ts";
import { formatProgress, openProgressBar } from "../../src/client/cli/progress-bar.ts";
import { openReportFile } from "../../src/client/cli/report-file.ts";
import type { Terminal } from "../../src/client/cli/terminal.ts";
import { prepareImport } from "../../src/client/import/prepare-import.ts";
import { buildImportFile, buildImportRow, openFakeTarget } from "../support/import-target.ts";

/** Tests `signpost import` and `signpost import verify` with a service that keeps links in memory. */

const A = "https://a.example/";
let service = openFakeTarget();
let server: Server;
let environment: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), "signpost-import-"));

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const reply = (status: number, body: unknown) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === "/v1/links") {
      expect(url.searchParams.get("archived")).toBe("all");
      return reply(200, {
        data: await service.findCodes((url.searchParams.get("codes") ?? "").split(",")),
        meta: {},
      });
    }
    if (url.pathname === "/v1/domains")
      return reply(200, { data: [{ serves_api: await service.servesApi() }], meta: {} });
    if (url.pathname === "/v1/links/bulk")
      return reply(201, {
        data: await service.createLinks(JSON.parse(Buffer.concat(chunks).toString()).links),
        meta: {},
      });
    reply(404, { error: { code: "NOT_FOUND", message: "nothing is here", status: 404 } });
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  const [name, value] = ["SIGNPOST_KEY", `svc_pk_abcdefgh.${"k".repeat(64)}`];
  environment = { SIGNPOST_API_URL: `http://localhost:${port}`, [name]: value };
});
afterAll(() => void server.close());
beforeEach(() => {
  service = openFakeTarget();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Runs the command. Returns its exit code and what it wrote. */
async function signpost(words: string[], options: Partial<Terminal> & { input?: string } = {}) {
  const written = { output: "", notes: "" };
  const { input = "", ...others } = options;
  const terminal: Terminal = {
    write(content) {
      written.output += content;
    },
    note(text) {
      written.notes += text;
    },
    readInput: async () => Buffer.from(input),
    async *readLines() {
      yield* input.split("\n");
    },
    readSecret: async () => input,
    confirm: async () => false,
    onInterrupt: () => () => {},
    isOutputTerminal: false,
    isNoteTerminal: false,
    columns: 100,
    ...others,
  };
  const code = await runCommand(words, terminal, environment, "1.0.0");
  return { code, ...written };
}

function writeCsv(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${["url,slug,short url", ...lines].join("\n")}\n`);
  return path;
}

describe("signpost import", () => {
  test("creates the links of a file, and nothing when repeated", async () => {
    const path = writeCsv("simple.csv", `${A}1,one,`, `${A}2,two,`);
    const first = await signpost(["import", path, "--from", "csv"]);
    expect(first).toEqual({
      code: 0,
      output: "2 links created\n",
      notes: "All 2 printed codes will keep working\n",
    });
    expect(service.list()).toEqual({ one: `${A}1`, two: `${A}2` });
    const again = await signpost(["import", path, "--from", "csv", "--json"]);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.output)).toMatchObject({ counts: { created: 0, exists: 2 }, stop: null });
  });

  test("reads the file from standard input, and maps columns by name", async () => {
    const input = `ziel;kurz\n${A};abc\n`;
    const words = ["import", "-", "--from", "csv", "--column", "url=ziel", "--column", "custom_slug=kurz"];
    expect(await signpost(words, { input })).toMatchObject({ code: 0, output: "1 link created\n" });
    expect(service.list()).toEqual({ abc: A });
  });

  test("shows each row in a dry run and changes nothing", async () => {
    service = openFakeTarget({ there: A, taken: "https://b.example/" });
    const before = service.list();
    const path = writeCsv("dry.csv", `${A},new,`, `${A},there,`, `${A},taken,`, `${A},new,`, "nonsense,bad,");
    const shown = await signpost(["import", path, "--from", "csv", "--dry-run"]);
    expect(shown.code).toBe(8);
    expect(shown.notes).toMatch(/^2 of 5 printed codes would stop working\n/);
    expect(shown.notes).toContain("  line 4: taken already redirects to https://b.example/");
    expect(shown.output.split("\n").map((line) => line.split("\t").slice(0, 3))).toEqual([
      ["2", "create", "new"],
      ["3", "already exists", "there"],
      ["4", "conflict", "taken"],
      ["5", "duplicate", "new"],
      ["6", "invalid", ""],
      [""],
    ]);
    expect(shown.notes).toContain("1 link to create, 1 already exists, 1 duplicate, 1 conflict, 1 invalid\n");
    const json = await signpost(["import", path, "--from", "csv", "--dry-run", "--json"]);
    expect(JSON.parse(json.output)).toMatchObject({
      counts: { create: 1, exists: 1, duplicate: 1, conflict: 1, faulty: 1 },
      codes: { total: 5, lost: [{ line: 4 }, { line: 6 }] },
      rows: [
        { line: 2, state: "create", code: "new", destination: A },
        {},
        {},
        {},
        { line: 6, state: "faulty" },
      ],
    });
    expect(service.list()).toEqual(before);
  });

  test("shows the first rows of each state and progress bars on a terminal", async () => {
    const path = writeCsv(
      "many.csv",
      ...Array.from({ length: 300 }, (_, index) => `${A}${index},code-${index},`),
    );
    const person = { isOutputTerminal: true, isNoteTerminal: true };
    const dry = await signpost(["import", path, "--from", "csv", "--dry-run"], person);
    expect(dry.output.trim().split("\n")).toHaveLength(11);
    expect(dry.output).toMatch(/^LINE +PLAN +SHORT CODE +DESTINATION +NOTES\n +2 +create +code-0/);
    expect(dry.notes).toContain("… and 290 more rows; use --json to see all");
    const made = await signpost(["import", path, "--from", "csv"], person);
    expect(made.notes).toContain("Importing ████████████████████████ 100% (300 of 300)");
    expect(made.notes).toMatch(/\r +\r$/);
    expect(made.output).toBe("300 links created\n");
  });

  test("lists rows without a link, and exits with a code for them", async () => {
    service = openFakeTarget({ taken: "https://b.example/" });
    const conflict = await signpost(["import", writeCsv("c.csv", `${A},taken,`), "--from", "csv"]);
    expect(conflict).toEqual({
      code: 8,
      output: "0 links created, 1 conflict\n",
      notes:
        "The printed code would stop working\nsignpost: 1 row was not imported\n  line 2: taken already redirects to https://b.example/ in this workspace\n",
    });
    service.faults.set(A, "feature_not_available");
    const failed = await signpost(["import", writeCsv("f.csv", `${A},new,`, "nonsense,,"), "--from", "csv"]);
    expect(failed).toMatchObject({ code: 1, output: "0 links created, 1 invalid, 1 failed\n" });
    expect(failed.notes).toContain("line 2: custom_slug: feature_not_available");
    expect(failed.notes).toContain("line 3: ");
  });

  test("lists the first 20 rows without a link", async () => {
    const name = async (count: number) => {
      const path = writeCsv("many-faults.csv", ...Array<string>(count).fill("nonsense,bad,"));
      return (await signpost(["import", path, "--from", "csv"])).notes.trimEnd().split("\n");
    };
    expect(await name(20)).toHaveLength(22);
    const more = await name(21);
    expect([more.length, more.at(-2)?.split(":")[0], more.at(-1)]).toEqual([
      23,
      "  line 21",
      "  … and 1 more; use --report to write all",
    ]);
  });

  test("creates nothing with --on-conflict fail, and all links with suffix", async () => {
    service = openFakeTarget({ taken: "https://b.example/" });
    const path = writeCsv("w.csv", `${A},new,`, `${A},taken,`);
    for (const dry of [[], ["--dry-run"]]) {
      const failed = await signpost(["import", path, "--from", "csv", "--on-conflict", "fail", ...dry]);
      expect(failed.code).toBe(8);
      expect(failed.notes).toContain(
        "1 of 2 rows has a conflict, so nothing was imported\n  line 3: taken already redirects to",
      );
      expect(Object.keys(service.list())).toEqual(["taken"]);
    }
    const made = await signpost(["import", path, "--from", "csv", "--on-conflict", "suffix"]);
    expect(made).toMatchObject({ code: 8, output: "2 links created\n" });
    expect(made.notes).toContain("  line 3: taken becomes taken-2\n");
    expect(service.list()).toMatchObject({ new: A, "taken-2": A });
  });

  test("stops at the plan's limit, and says how to continue", async () => {
    service.linksLeft = 1;
    const path = writeCsv("l.csv", `${A}1,one,`, `${A}2,two,`);
    const ended = await signpost(["import", path, "--from", "csv"]);
    expect(ended).toMatchObject({ code: 6, output: "1 link created, 1 not attempted\n" });
    expect(ended.notes).toMatch(
      /signpost: PLAN_LIMIT_EXCEEDED: .*; run the same command again to continue; no link is imported twice\n$/,
    );
  });

  test("rejects a file that isn't UTF-8 before it creates anything", async () => {
    const path = join(folder, "latin.csv");
    writeFileSync(path, Buffer.from(`url,slug,title\n${A},one,Caf\xe9\n`, "latin1"));
    const refused = await signpost(["import", path]);
    expect(refused).toMatchObject({ code: 2, output: "" });
    expect(refused.notes).toMatch(/^signpost: line 2: the file is not UTF-8; .*\n$/);
    expect(service.list()).toEqual({});
  });

  test("rejects a report of a dry run", async () => {
    const path = writeCsv("dry-report.csv", `${A},one,`);
    const refused = await signpost(["import", path, "--dry-run", "--report", join(folder, "dry.csv")]);
    expect(refused.code).toBe(2);
    expect(refused.notes).toContain("'--report <file>' cannot be used with option '--dry-run'");
  });

  test("stops at Ctrl-C after the calls in progress, and says how to continue", async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `${A}${index},code-${index},`);
    let press = () => {};
    service.after = (call) => {
      if (call === 11) press();
    };
    const ended = await signpost(["import", writeCsv("i.csv", ...lines), "--from", "csv"], {
      onInterrupt: (listener) => {
        press = listener;
        return () => {};
      },
    });
    expect(ended.code).toBe(130);
    expect(ended.notes).toContain("finishing requests in progress; press Ctrl-C again to stop immediately");
    expect(ended.notes).toContain(
      "import stopped; run the same command again to continue; no link is imported twice",
    );
    const made = Object.keys(service.list()).length;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(1_000);
  });

  test.each<[string[], number, string]>([
    [["import", "/no/such/file.csv"], 2, "/no/such/file.csv cannot be read"],
    [["import", "-", "--from", "nobody"], 2, "Allowed choices are bitly"],
    [["import", "-", "--column", "url"], 2, "Must be FIELD=HEADER"],
    [["import", "-", "--on-conflict", "ask"], 2, "Allowed choices are skip, suffix, fail"],
    [["import", "-", "--from", "csv"], 2, ""],
  ])("%j ends with %d", async (words, code, note) => {
    const result = await signpost(words);
    expect(result.code).toBe(code);
    expect(result.notes).toContain(note);
  });
});

describe("a report", () => {
  test.each(["csv", "json"])("contains every row as .%s", async (format) => {
    service = openFakeTarget({ taken: "https://b.example/" });
    const path = writeCsv(`r-${format}.csv`, `${A},new,https://old.example/new`, `${A},taken,`);
    const report = join(folder, `report.${format}`);
    await signpost(["import", path, "--from", "csv", "--report", report]);
    const text = readFileSync(report, "utf8");
    if (format === "json")
      expect(
        JSON.parse(text)
          .map(({ line, state }: { line: number; state: string }) => [line, state])
          .sort(),
      ).toEqual([
        [2, "created"],
        [3, "conflict"],
      ]);
    else
      expect(text).toContain(
        "2,https://old.example/new,new,created,https://go.example/new,https://go.example/new,,",
      );
  });

  test("is complete after each row, and replaces neither the import file nor other files", () => {
    const path = join(folder, "step.json");
    const file = openReportFile(path, "-");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual([]);
    const result = {
      line: 2,
      formerUrl: null,
      code: "ä",
      state: "created",
      shortUrl: null,
      keptUrl: null,
      reason: null,
      notes: [],
    } as const;
    for (const line of [2, 3]) {
      file.add({ ...result, line });
      expect(JSON.parse(readFileSync(path, "utf8"))).toHaveLength(line - 1);
    }
    file.close();
    expect(() => openReportFile(path, path)).toThrow("the report can't overwrite the imported file");
    expect(() => openReportFile("report.txt", "-")).toThrow("report.txt must end in .csv or .json");
    expect(() => openReportFile("/no/such/report.csv", "-")).toThrow("cannot be written");
  });
});

test("warnings list only limits and features that the plan lacks", async () => {
  const rows = Array.from({ length: 150 }, (_, index) =>
    buildImportRow(
      index + 2,
      A,
      `code-${index}`,
      index === 0 ? { routing_rules: [{ when: { os: ["ios"] }, destination: A }] } : {},
    ),
  );
  const plan = await prepareImport(openFakeTarget(), buildImportFile(rows), { onConflict: "skip" });
  const usage = (links: number, calls: number, has: boolean) =>
    listPlanWarnings(plan, {
      plan: "pro",
      usage: { links_created_this_month: 50, api_calls_this_month: 10 },
      limits: { links_per_month: links, api_calls_per_month: calls },
      features: { routing_rules: has, bulk_ops: has },
    } as never);
  expect(usage(200, 12, true)).toEqual([]);
  expect(usage(199, 11, false)).toEqual([
    "the plan allows 149 links more this month; the import will stop there, and you can continue next month",
    "the import needs 2 API calls, but only 1 is left this month",
    "the plan does not include bulk operations, which imports require",
    "the plan does not include routing rules, so 1 link with rules will fail",
  ]);
});

test("a progress bar is redrawn at most every 100 ms, fits the terminal, and is absent in a pipe", () => {
  const drawn: string[] = [];
  let now = 0;
  const open = (isNoteTerminal: boolean) =>
    openProgressBar(
      { isNoteTerminal, columns: 30, note: (text) => void drawn.push(text) },
      "Work",
      () => now,
    );
  open(false).update(1, 2);
  expect(drawn).toEqual([]);
  const bar = open(true);
  bar.update(0, 4);
  now = 99;
  bar.update(1, 4);
  expect(drawn).toHaveLength(1);
  now = 100;
  bar.update(2, 4);
  bar.update(4, 4);
  expect(drawn).toHaveLength(3);
  expect(drawn.every((text) => text.length === 30)).toBe(true);
  bar.clear();
  expect(drawn.at(-1)).toBe(`\r${" ".repeat(29)}\r`);
});

test.each([
  [0, 4, "░".repeat(24), "0% (0 of 4)"],
  [1, 3, `${"█".repeat(8)}${"░".repeat(16)}`, "33% (1 of 3)"],
  [4, 4, "█".repeat(24), "100% (4 of 4)"],
])("a progress bar shows %i of %i as its filled share", (done, total, bar, counts) => {
  expect(formatProgress("Work", done, total)).toBe(`Work ${bar} ${counts}`);
});

describe("signpost import verify", () => {
  let stub: Server;
  let former: string;
  let current: string;

  beforeAll(async () => {
    stub = createServer((request, response) => {
      const isGone = request.url === "/old/gone" || request.url === "/lost";
      const target = request.url === "/moved" ? `${A}elsewhere` : A;
      response.writeHead(isGone ? 404 : 302, isGone ? {} : { Location: target }).end();
    });
    await new Promise<void>((resolve) => stub.listen(0, "localhost", resolve));
    const { port } = stub.address() as AddressInfo;
    former = `http://localhost:${port}/old`;
    current = `http://localhost:${port}`;
  });
  afterAll(() => void stub.close());
  beforeEach(() => {
    service = openFakeTarget({ same: A, moved: A, lost: A });
    const { findCodes } = service;
    service.findCodes = async (codes) =>
      (await findCodes(codes)).map((link) => ({ ...link, short_url: `${current}/${link.short_code}` }));
  });

  test("lists differences and exits with 5", async () => {
    const rows = ["same", "moved", "lost", "none"].map((code) => `${A},${code},${former}/${code}`);
    const path = writeCsv("v.csv", ...rows, `${A},same,`);
    const words = ["import", "verify", path, "--from", "csv", "--allow-private-hosts"];
    const result = await signpost(words);
    expect(
      result.output
        .trim()
        .split("\n")
        .map((line) => line.split("\t")),
    ).toEqual([
      ["3", `${former}/moved`, `redirected to ${A}, now redirects to ${A}elsewhere`],
      ["4", `${former}/lost`, `redirected to ${A}, now returns 404`],
      ["5", `${former}/none`, "no such link in this workspace"],
    ]);
    expect(result.notes).toContain("rows compared: 4, different: 3, without an old URL: 1\n");
    expect(result.code).toBe(5);
    const json = JSON.parse((await signpost([...words, "--json"])).output);
    expect(json).toMatchObject({ compared: 4, different: 3, without_address: 1 });
    expect(json.rows[1]).toMatchObject({
      line: 4,
      former: { status: 302, location: A },
      current: { status: 404 },
    });
  });

  test("exits with 0 without differences, also for a sample", async () => {
    const path = writeCsv("s.csv", `${A},same,${former}/same`, `${A},moved,${former}/moved`);
    const words = ["import", "verify", path, "--from", "csv", "--allow-private-hosts", "--sample", "1"];
    expect(await signpost(words)).toEqual({ code: 0, output: "", notes: "rows compared: 1, different: 0\n" });
  });

  test("requests a URL every 100 ms, and waits 10 seconds for the response", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const timer = vi.spyOn(globalThis, "setTimeout");
    const timeout = vi.spyOn(AbortSignal, "timeout");
    const path = writeCsv("t.csv", `${A},same,${former}/same`);
    await signpost(["import", "verify", path, "--from", "csv", "--allow-private-hosts"]);
    expect(timer.mock.calls.map(([, durationMs]) => durationMs)).toContain(100);
    expect(timeout.mock.calls.flat()).toContain(10_000);
  });

  test("requests private hosts only if allowed", async () => {
    const path = writeCsv("p.csv", `${A},same,${former}/same`);
    const result = await signpost(["import", "verify", path, "--from", "csv"]);
    expect(result.code).toBe(5);
    expect(result.output).toContain("the old URL was not checked: it must use a public hostname");
  });
});
