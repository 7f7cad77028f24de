import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { DEFAULTS, type DesiredLink, type Link } from "../../src/client/apply/desired-link.ts";
import type { LinksPlan } from "../../src/client/apply/links-plan.ts";
import { callService } from "../../src/client/cli/api-call.ts";
import { listWords } from "../../src/client/cli/completion.ts";
import {
  deleteConfiguration,
  locateConfiguration,
  readConfiguration,
  storeConfiguration,
} from "../../src/client/cli/configuration.ts";
import { COLOURED, describePlan, PLAIN } from "../../src/client/cli/describe-plan.ts";
import { CommandError } from "../../src/client/cli/exit-code.ts";
import { parseInteger } from "../../src/client/cli/link-options.ts";
import { buildProgram, runCommand } from "../../src/client/cli/program.ts";
import { readBytes } from "../../src/client/cli/read-file.ts";
import { runPlan } from "../../src/client/cli/run-plan.ts";
import { drawBars } from "../../src/client/cli/spark-bars.ts";
import { type Column, cleanText, formatTable } from "../../src/client/cli/table.ts";
import type { Terminal } from "../../src/client/cli/terminal.ts";
import { drawForTerminal } from "../../src/client/cli/terminal-qr.ts";
import { createSignpostClient } from "../../src/client/client.ts";

/** Tests the parts of the `signpost` command that need no service. */

const KEY = `svc_pk_abcdefgh.${"k".repeat(64)}`;

/** Creates a terminal that records its output. */
function openFake(input: string | Uint8Array = ""): Terminal & { output: string; notes: string } {
  const terminal = {
    output: "",
    notes: "",
    write(content: string | Uint8Array) {
      terminal.output += content;
    },
    note(text: string) {
      terminal.notes += text;
    },
    readInput: async () => (typeof input === "string" ? Buffer.from(input) : input),
    async *readLines() {
      yield* String(input).split("\n");
    },
    readSecret: async () => String(input),
    confirm: async () => false,
    onInterrupt: () => () => {},
    isOutputTerminal: false,
    isNoteTerminal: false,
    columns: 80,
  };
  return terminal;
}

describe("tables", () => {
  interface Row {
    name: string;
    count: number;
    note: string;
  }
  const columns: Column<Row>[] = [
    { title: "Name", format: ({ name }) => name },
    { title: "Count", format: ({ count }) => String(count), isNumber: true },
    { title: "Note", format: ({ note }) => note, isFlexible: true },
  ];
  const rows = [
    { name: "a", count: 5, note: "short" },
    { name: "grün", count: 1_234, note: "a note that is much longer than the others" },
  ];

  test("align columns, and right-align numbers", () => {
    expect(formatTable(rows, columns, 80)).toBe(
      "NAME  COUNT  NOTE\n" +
        "a         5  short\n" +
        "grün   1234  a note that is much longer than the others\n",
    );
  });

  test("shorten flexible columns to the terminal's width, but not below eight characters", () => {
    expect(formatTable(rows, columns, 30).split("\n")[2]).toBe("grün   1234  a note that is m…");
    expect(formatTable(rows, columns, 31).split("\n")[2]).toBe("grün   1234  a note that is mu…");
    expect(formatTable(rows, columns, 5).split("\n")[2]).toBe("grün   1234  a note …");
  });

  test("count a character outside the 16-bit range as one", () => {
    expect(formatTable([{ name: "😀", count: 1, note: "" }], columns.slice(0, 2), 80)).toBe(
      "NAME  COUNT\n😀         1\n",
    );
  });

  test("replace control characters with spaces, also in cells", () => {
    expect(formatTable([{ name: "a\u001b[2J", count: 1, note: "" }], columns.slice(0, 1), 80)).toBe(
      "NAME\na [2J\n",
    );
    expect(cleanText("a\u001b[2Jb\u0007\u009b\u202ec\nd")).toBe("a [2Jb   c d");
  });
});

test.each([
  [[0, 0], "▁▁"],
  [[0, 1, 2, 4], "▁▃▅█"],
  [[1], "█"],
  [[1, 1_000], "▂█"],
  [[], ""],
])("bars of %j are %j", (values, bars) => {
  expect(drawBars(values)).toBe(bars);
});

test("a QR code on a terminal has a light border and sets its own colours", () => {
  const lines = drawForTerminal("https://example.com/").split("\n").slice(0, -1);
  const [first = "", second = ""] = lines.map((line) => line.slice(8, -4));
  expect(lines.every((line) => line.startsWith("\u001b[97;40m") && line.endsWith("\u001b[0m"))).toBe(true);
  // Version 2 has 25 modules per side, and a quiet zone of 4 modules.
  expect([lines.length, first.length]).toEqual([17, 33]);
  expect(first).toBe("█".repeat(33));
  expect(second).toBe(first);
  // The last line has only one row of modules. The space below it is light too.
  expect(lines.at(-1)?.slice(8, -4)).toBe(first);
  expect(lines[2]).toContain("████ ▄▄▄▄▄ █");
});

describe("a plan", () => {
  const fields = { ...DEFAULTS, url: "https://example.com/\u001b[2J" };
  const link = (short_code: string) => ({ short_code, destination: "https://example.com/" }) as Link;
  const desired = (code: string, more: object = {}): DesiredLink => ({
    name: code,
    code,
    externalId: null,
    aliases: [],
    fields,
    passwordVariable: null,
    importedScans: 0,
    createdAt: null,
    line: 1,
    ...more,
  });
  const rule = (os: string) => ({ when: { os: [os] }, block: true });
  const plan: LinksPlan = {
    created: [
      desired("new", { passwordVariable: "SECRET", importedScans: 2, createdAt: "2024-01-01T00:00:00.000Z" }),
    ],
    changed: [
      {
        link: link("old"),
        desired: desired("old"),
        changes: [
          { field: "title", before: null, after: "a".repeat(76) },
          { field: "note", before: null, after: "a".repeat(77) },
          { field: "enabled", before: true, after: false },
          {
            field: "routing_rules",
            before: [rule("ios"), rule("android")],
            after: [rule("ios"), rule("linux")],
          },
        ],
      },
    ],
    unchanged: 3,
    absent: Array.from({ length: 21 }, (_, index) => link(`stray-${index}`)),
  };

  test("shows creations and changes field by field, and says that other links stay", () => {
    const text = describePlan(plan, false, PLAIN);
    expect(text.split("\n").slice(0, 14)).toEqual([
      "+ new → https://example.com/ [2J",
      "    password: $SECRET",
      "    imported_scans: 2",
      "    created_at: 2024-01-01T00:00:00.000Z",
      "~ old",
      `    title: none → ${"a".repeat(76)}`,
      "    note:",
      "      - none",
      `      + ${"a".repeat(77)}`,
      "    enabled: yes → no",
      "    routing_rules:",
      '      - 2. {"when":{"os":["android"]},"block":true}',
      '      + 2. {"when":{"os":["linux"]},"block":true}',
      "  stray-0 → https://example.com/, not in the file",
    ]);
    expect(text).toContain(
      "stray-19 → https://example.com/, not in the file\n  … and 1 more that are not in the file\n",
    );
    expect(text).toMatch(
      /\nPlan: 1 to create, 1 to change, 3 unchanged, 21 not in the file \(use --prune to delete\)\.\n$/,
    );
  });

  test("lists every link to delete", () => {
    const text = describePlan(plan, true, COLOURED);
    expect(text).toContain("\u001b[31m- stray-20 → https://example.com/\u001b[0m\n");
    expect(text).toMatch(/\nPlan: 1 to create, 1 to change, 21 to delete, 3 unchanged\.\n$/);
  });
});

describe("configuration", () => {
  const folder = () => mkdtempSync(join(tmpdir(), "signpost-config-"));

  test.each([
    [{ XDG_CONFIG_HOME: "/x", HOME: "/home/a" }, "/x/signpost/config.json"],
    [{ XDG_CONFIG_HOME: "relative", HOME: "/home/a" }, "/home/a/.config/signpost/config.json"],
    [{ XDG_CONFIG_HOME: "", HOME: "/home/a" }, "/home/a/.config/signpost/config.json"],
  ])("of %j is %s", (environment, path) => {
    expect(locateConfiguration(environment)).toBe(path);
  });

  test("is readable only by its owner, even if the file existed before", () => {
    const environment = { XDG_CONFIG_HOME: folder() };
    const stored = { apiUrl: "https://api.example", key: KEY };
    const path = storeConfiguration(environment, { apiUrl: "https://old.example", key: "old" });
    chmodSync(path, 0o644);
    storeConfiguration(environment, stored);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    expect(readConfiguration(environment)).toEqual(stored);
    deleteConfiguration(environment);
    deleteConfiguration(environment);
    expect(() => readConfiguration(environment)).toThrow(/signpost login/);
  });

  test("in the environment takes precedence, and a stored key is sent only to its own service", () => {
    const environment = { XDG_CONFIG_HOME: folder() };
    storeConfiguration(environment, { apiUrl: "https://api.example", key: KEY });
    const read = (more: object) => readConfiguration({ ...environment, ...more });
    expect(read({ SIGNPOST_KEY: "other" })).toEqual({ apiUrl: "https://api.example", key: "other" });
    expect(() => read({ SIGNPOST_API_URL: "https://evil.example" })).toThrow(CommandError);
    expect(read({ SIGNPOST_API_URL: "https://api.example" }).key).toBe(KEY);
  });

  test("is named if it is damaged", () => {
    const environment = { XDG_CONFIG_HOME: folder() };
    const path = storeConfiguration(environment, { apiUrl: "https://api.example", key: KEY });
    writeFileSync(path, "{");
    expect(() => readConfiguration(environment)).toThrow(`${path} is not valid JSON`);
    expect(readFileSync(path, "utf8")).toBe("{");
  });
});

describe("unsuccessful responses", () => {
  const fail = (status: number, error: unknown) =>
    callService(Promise.resolve({ error, response: new Response(null, { status }) })).catch(
      (thrown: CommandError) => [thrown.exitCode, thrown.message, ...thrown.details],
    );
  const body = (code: string, more = {}) => ({
    error: { code, message: "Told.", ...more },
    meta: { request_id: "r1" },
  });

  test.each<[number, unknown, unknown[]]>([
    [400, body("VALIDATION_ERROR"), [2, "VALIDATION_ERROR: Told."]],
    [401, body("INVALID_API_KEY"), [3, "INVALID_API_KEY: Told."]],
    [403, body("INSUFFICIENT_SCOPE"), [3, "INSUFFICIENT_SCOPE: Told."]],
    [404, body("RESOURCE_NOT_FOUND"), [4, "RESOURCE_NOT_FOUND: Told."]],
    [409, body("SLUG_TAKEN"), [5, "SLUG_TAKEN: Told."]],
    [422, body("IDEMPOTENCY_CONFLICT"), [2, "IDEMPOTENCY_CONFLICT: Told."]],
    [429, body("RATE_LIMIT_EXCEEDED"), [6, "RATE_LIMIT_EXCEEDED: Told."]],
    [500, body("INTERNAL_ERROR"), [1, "INTERNAL_ERROR: Told. (request r1)"]],
    [499, body("CANCELLED"), [1, "CANCELLED: Told."]],
    [502, "<html>", [1, "the service returned 502"]],
    [
      400,
      body("VALIDATION_ERROR", { details: [{ field: "url", message: "one" }] }),
      [2, "VALIDATION_ERROR: Told."],
    ],
    [
      400,
      body("VALIDATION_ERROR", {
        details: [
          { field: "url", message: "one" },
          { field: "title", message: "two" },
        ],
      }),
      [2, "VALIDATION_ERROR: Told.", "url: one", "title: two"],
    ],
  ])("%i %j", async (status, error, expected) => {
    expect(await fail(status, error)).toEqual(expected);
  });

  test("include a success without a body", async () => {
    await expect(callService(Promise.resolve({ response: new Response(null) }))).rejects.toThrow(
      "the service returned 200",
    );
  });

  test("show the cause if the service can't be reached", async () => {
    const error = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
    await expect(callService(Promise.reject(error))).rejects.toThrow("can't reach the service: ECONNREFUSED");
  });
});

describe("arguments", () => {
  const run = async (...words: string[]) => {
    const terminal = openFake();
    const environment = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), "signpost-config-")) };
    const code = await runCommand(words, terminal, environment, "1.2.3");
    return { code, output: terminal.output, notes: terminal.notes };
  };

  test.each<[string[], number, RegExp]>([
    [["--version"], 0, /^1\.2\.3\n$/],
    [["--help"], 0, /Exit codes:/],
    [["links", "create", "--help"], 0, /--expires-at <time>/],
    [["completion", "bash"], 0, /complete -o default -F _signpost signpost/],
    [["completion", "zsh"], 0, /^#compdef signpost/],
    [["completion", "fish"], 0, /complete -c signpost -n '__fish_use_subcommand' -a links/],
  ])("%j writes to the output", async (words, code, output) => {
    expect(await run(...words)).toEqual({ code, output: expect.stringMatching(output), notes: "" });
  });

  test.each<[string[], number, RegExp]>([
    [[], 2, /Usage: signpost/],
    [["lnks"], 2, /Did you mean links/],
    [["links", "create"], 2, /missing required argument 'url'/],
    [["links", "list", "--limit", "many"], 2, /Must be a whole number/],
    [["links", "list", "--sort", "colour"], 2, /Allowed choices are created_at/],
    [["links", "create", "https://a.example", "--data", "[]"], 2, /Must be a JSON object/],
    [["links", "create", "https://a.example", "--data", "{"], 2, /Must be a JSON object/],
    [["links", "create", "https://a.example", "--rules", "/nowhere"], 2, /\/nowhere cannot be read/],
    [["links", "update", "abc"], 2, /nothing to change/],
    [["links", "update", "abc", "--enable", "--disable"], 2, /cannot be used with option '--enable'/],
    [["links", "update", "abc", "--archive", "--unarchive"], 2, /cannot be used with option '--archive'/],
    [["links", "list"], 3, /run `signpost login`/],
    [["login", "api.example"], 2, /must start with https/],
    [["login", "https://api.example"], 2, /expected a key that starts with svc_pk_/],
    [["links", "export", "--format", "xml"], 2, /Allowed choices are csv, yaml, json/],
    [["apply"], 2, /missing required argument 'file'/],
    [["apply", "/nowhere"], 2, /\/nowhere cannot be read/],
    [["apply", "/nowhere", "--yes", "3"], 2, /a number after --yes is only allowed with --prune/],
    [["apply", "--prune", "--yes", "links.yaml"], 2, /Must be the number of links to delete with --prune/],
    [["links", "list", "--limit", "1000000000000000"], 2, /Must be a whole number/],
    [["links", "create", "https://a.example", "--data", "null"], 2, /Must be a JSON object/],
    [["completion", "tcsh"], 2, /Allowed choices are bash, zsh, fish/],
  ])("%j is rejected", async (words, code, notes) => {
    expect(await run(...words)).toEqual({ code, output: "", notes: expect.stringMatching(notes) });
  });

  test("no option takes a key or a password, which would show in the list of processes", () => {
    const options = listOptions(buildProgram(openFake(), {}, "1"));
    expect(options.filter((flags) => /key|secret|token/.test(flags))).toEqual([]);
    expect(options.filter((flags) => /password/.test(flags))).toEqual(Array(3).fill("--password"));
  });

  function listOptions(command: ReturnType<typeof buildProgram>): string[] {
    return [
      ...command.options.map(({ flags }) => flags),
      ...command.commands.flatMap((each) => listOptions(each as never)),
    ];
  }

  test("completion includes every command and option", () => {
    const words = new Map(
      listWords(buildProgram(openFake(), {}, "1")).map(({ path, words }) => [path, words]),
    );
    expect(words.get("")?.map(([word]) => word)).toEqual(
      expect.arrayContaining(["links", "qr", "stats", "--json"]),
    );
    expect(words.get("links")?.map(([word]) => word)).toEqual([
      "list",
      "get",
      "create",
      "update",
      "delete",
      "export",
    ]);
    expect(words.get("apply")?.map(([word]) => word)).toEqual([
      "--dry-run",
      "--exit-code",
      "--prune",
      "--yes",
    ]);
    expect(words.get("links create")?.map(([word]) => word)).toContain("--max-scans");
  });
});

test("a file is read up to the maximum size, and not much further", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "signpost-read-")), "ten-bytes");
  writeFileSync(path, "0123456789");
  expect(Buffer.from(await readBytes(path, openFake(), 10)).toString()).toBe("0123456789");
  expect(Buffer.from(await readBytes("-", openFake("äö"), 4)).toString()).toBe("äö");
  await expect(readBytes(path, openFake(), 9)).rejects.toThrow("expected at most 9 bytes");
  await expect(readBytes("-", openFake("äö"), 3)).rejects.toThrow("standard input is too large");
  await expect(readBytes("/dev/zero", openFake(), 9)).rejects.toThrow("/dev/zero is too large");
  const content = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => index));
  writeFileSync(path, content);
  expect(content.equals(await readBytes(path, openFake(), content.length))).toBe(true);
});

test("an integer has up to 15 digits", () => {
  expect(parseInteger("999999999999999")).toBe(999_999_999_999_999);
  expect(() => parseInteger("1000000000000000")).toThrow("whole number");
});

describe("commands call the service", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const ID = "0190a8c4-0000-7000-8000-000000000001";
  const link = (more: object = {}) => ({
    id: ID,
    short_url: "https://go.example/sale",
    short_code: "sale",
    destination: "https://example.com/",
    aliases: [],
    external_id: null,
    labels: [],
    routing_rules: [],
    title: null,
    note: null,
    enabled: true,
    archived: false,
    has_password: false,
    max_scans: null,
    starts_at: null,
    created_at: "2026-01-01T00:00:00.000Z",
    expires_at: null,
    scan_count: 0,
    last_scan_at: null,
    ...more,
  });
  const found = { data: [link()], meta: { next_before: null } };

  /** Runs a command. The service returns the answers in order, and repeats the last one. */
  async function run(
    words: readonly string[],
    answers: readonly unknown[],
    input: string | Uint8Array = "",
    status = 200,
  ) {
    const asked: { method: string; url: URL; body: unknown }[] = [];
    vi.stubGlobal("fetch", async (request: Request) => {
      const text = await request.text();
      const answer = answers[Math.min(asked.length, answers.length - 1)];
      asked.push({ method: request.method, url: new URL(request.url), body: text && JSON.parse(text) });
      return typeof answer === "function" ? answer() : Response.json(answer, { status });
    });
    const terminal = openFake(input);
    const environment = {
      XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), "signpost-config-")),
      SIGNPOST_API_URL: "https://api.example",
      SIGNPOST_KEY: KEY,
    };
    const code = await runCommand(words, terminal, environment, "1");
    return { code, asked, output: terminal.output, notes: terminal.notes };
  }

  test("for 20 links by default, for at most 100 at a time, and not for 0", async () => {
    const page = (next: string | null) => ({ data: Array(100).fill(link()), meta: { next_before: next } });
    const first = await run(["links", "list"], [page(null)]);
    expect(first.asked.map(({ url }) => url.searchParams.get("limit"))).toEqual(["20"]);
    const many = await run(["links", "list", "--limit", "101"], [page(ID), page(null)]);
    expect(many.asked.map(({ url }) => url.searchParams.get("limit"))).toEqual(["100", "100"]);
    expect(many.output.trim().split("\n")).toHaveLength(101);
    expect((await run(["links", "list", "--limit", "0"], [page(null)])).asked).toEqual([]);
  });

  test("and show the status of each link", async () => {
    const [past, future] = ["2000-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"];
    const cases = [
      ["disabled", { enabled: false, archived: true }],
      ["expired", { expires_at: past, max_scans: 5, scan_count: 5 }],
      ["limit reached", { max_scans: 5, scan_count: 5, starts_at: future }],
      ["scheduled", { starts_at: future, archived: true }],
      ["archived", { archived: true }],
      ["active", { starts_at: past, expires_at: future, max_scans: 5, scan_count: 4 }],
    ] as const;
    const data = cases.map(([, fields]) => link(fields));
    const { output } = await run(["links", "list"], [{ data, meta: { next_before: null } }]);
    const lines = output.trim().split("\n");
    expect(lines.map((line) => line.split("\t")[2])).toEqual(cases.map(([status]) => status));
  });

  test.each<[string[], object]>([
    [["--disable"], { enabled: false }],
    [["--enable"], { enabled: true }],
    [["--archive"], { archived: true }],
    [["--unarchive"], { archived: false }],
    [["--title", ""], { title: null }],
    [["--label", "a", "--label", "b"], { labels: ["a", "b"] }],
    [["--label", ""], { labels: [] }],
    [["--title", "t", "--data", '{"note":"n"}'], { title: "t", note: "n" }],
    [["--rules", "-"], { routing_rules: [] }],
  ])("to change a link by %j", async (words, body) => {
    const { asked } = await run(["links", "update", ID, ...words], [{ data: link() }], "[]");
    expect(asked.map((request) => request.method)).toEqual(["GET", "PATCH"]);
    expect(asked[1]?.body).toEqual(body);
  });

  test("only with rules that are an array", async () => {
    const refused = await run(["links", "update", ID, "--rules", "-"], [], "{}");
    expect([refused.code, refused.asked, refused.notes]).toEqual([
      2,
      [],
      expect.stringContaining("must be a JSON array"),
    ]);
  });

  test("for a link by its ID, short code or short URL, also for archived links", async () => {
    const others = [
      link({ short_code: "sale-2" }),
      link({ short_url: "https://other.example/sale", destination: "https://other.example/" }),
      link({ destination: "https://wanted.example/" }),
    ];
    const list = { data: others, meta: { next_before: null } };
    const byAddress = await run(["--json", "links", "get", "https://go.example/sale"], [list]);
    expect(JSON.parse(byAddress.output).short_code).toBe("sale-2");
    const byCode = await run(["--json", "links", "get", "sale"], [list]);
    expect(JSON.parse(byCode.output).destination).toBe("https://other.example/");
    expect(byCode.asked[0]?.url.search).toBe("?codes=sale&archived=all");
    const byId = await run(["links", "get", ID], [{ data: link() }]);
    expect(byId.asked.map(({ url }) => url.pathname)).toEqual([`/v1/links/${ID}`]);
    expect((await run(["links", "get", "sal"], [list])).code).toBe(4);
    const error = { code: "INSUFFICIENT_SCOPE", message: "No." };
    for (const words of [["get", "sale"], ["list"]]) {
      const refused = await run(["links", ...words], [{ error }], "", 403);
      expect([refused.code, refused.notes]).toEqual([3, "signpost: INSUFFICIENT_SCOPE: No.\n"]);
    }
  });

  test("only with possible codes: without a comma, and with at most 64 characters", async () => {
    const countAsked = async (code: string) => (await run(["links", "get", code], [found])).asked.length;
    expect(await countAsked("a,b")).toBe(0);
    expect(await countAsked("a".repeat(65))).toBe(0);
    expect(await countAsked("a".repeat(64))).toBe(1);
  });

  test("to delete only after confirmation", async () => {
    const unsure = await run(["links", "delete", "sale"], [found]);
    expect([unsure.code, unsure.asked.length]).toEqual([2, 1]);
    const sure = await run(["links", "delete", "sale", "--yes"], [found, { data: { deleted: true } }]);
    expect([sure.code, sure.asked[1]?.method]).toEqual([0, "DELETE"]);
  });

  test("to list, restore and erase what is in the trash", async () => {
    const deleted = { deleted_at: "2026-03-01T00:00:00.000Z", erase_at: "2026-03-31T00:00:00.000Z" };
    const items = { data: [link(deleted)], meta: { next_before: null } };
    const list = await run(["trash", "list"], [items]);
    expect(list.asked[0]?.url.search).toBe("?limit=100&deleted=true");
    expect(list.output.split("\t").slice(1, 3)).toEqual([deleted.deleted_at, deleted.erase_at]);
    const restored = await run(["trash", "restore", "SALE", "--slug", "new"], [items, { data: link() }]);
    expect(restored.asked[1]).toMatchObject({ method: "POST", body: { custom_slug: "new" } });
    expect((await run(["trash", "restore", "other"], [items])).code).toBe(4);
    expect((await run(["trash", "erase", "sale"], [items])).code).toBe(2);
    const erased = await run(["trash", "erase", "sale", "--yes"], [items, { data: { deleted: true } }]);
    expect([erased.code, erased.asked[1]?.method, erased.asked[1]?.url.search]).toEqual([
      0,
      "DELETE",
      "?permanent=true",
    ]);
    const page = { id: ID, title: "Jane", slug: "jane", html_url: "https://bio.example/jane", ...deleted };
    const pages = { data: [page], meta: { next_before: null } };
    const back = await run(["trash", "restore", "jane", "--type", "pages"], [pages, { data: page }]);
    expect(back.asked.map(({ url }) => url.pathname)).toEqual([
      "/v1/bio/pages",
      `/v1/bio/pages/${ID}/restore`,
    ]);
    expect(back.output).toBe("Restored https://bio.example/jane.\n");
    const template = { data: [{ id: ID, name: "Brand", ...deleted }], meta: { next_before: null } };
    const gone = await run(["trash", "erase", ID, "--type", "templates", "--yes"], [template, { data: {} }]);
    expect(gone.output).toBe("Erased Brand.\n");
  });

  test("to share, list and revoke reports", async () => {
    const report = { id: ID, title: "Sale", url: "https://app.example/reports/x", expires_at: null };
    const shared = await run(["reports", "share", "sale"], [found, { data: report }]);
    expect(shared.asked[1]).toMatchObject({
      method: "POST",
      body: { title: "/sale", links: [ID], range: { days: 30 } },
    });
    expect(shared.output).toBe(`${report.url}\n`);
    const dates = ["--from", "2026-01-01", "--to", "2026-01-31"];
    const labelled = await run(["reports", "share", "--label", "print", ...dates], [{ data: report }]);
    const range = { from_date: "2026-01-01", to_date: "2026-01-31" };
    expect(labelled.asked[0]?.body).toEqual({ title: "print", label: "print", range });
    for (const words of [[], ["sale", "--label", "print"], ["sale", "--from", "2026-01-01"]]) {
      expect((await run(["reports", "share", ...words], [])).code).toBe(2);
    }
    const reports = { data: [report], meta: { next_before: null } };
    expect((await run(["reports", "list"], [reports])).output.split("\t")[2]).toBe(report.url);
    expect((await run(["reports", "revoke", "other"], [reports])).code).toBe(4);
    const revoked = await run(["reports", "revoke", report.url], [reports, { data: {} }]);
    expect([revoked.asked[1]?.method, revoked.output]).toEqual(["DELETE", "Revoked Sale.\n"]);
  });

  test("for the scans of the last 30 days, or for 20 values", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-03-01T00:00:00Z") });
    const days = await run(["stats"], [{ data: { points: [] } }]);
    const range = { from_date: "2026-01-31", to_date: "2026-03-01" };
    expect(Object.fromEntries(days.asked[0]?.url.searchParams ?? [])).toEqual({ ...range, interval: "day" });
    const values = await run(["stats", "--by", "country"], [{ data: { by: "country", items: [] } }]);
    const query = Object.fromEntries(values.asked[0]?.url.searchParams ?? []);
    expect(query).toEqual({ ...range, by: "country", limit: "20" });
    const label = await run(["stats", "--label", "print"], [{ data: { points: [] } }]);
    expect(label.asked[0]?.url.searchParams.get("label")).toBe("print");
    const today = await run(["stats", "--days", "1"], [{ data: { points: [] } }]);
    expect(today.asked[0]?.url.searchParams.get("from_date")).toBe("2026-03-01");
  });

  test("only if the key is complete", async () => {
    const { code, asked } = await run(["login", "https://api.example"], [], KEY.slice(0, -1));
    expect([code, asked]).toEqual([2, []]);
  });

  // Content that each command rejects immediately, once it has accepted its size.
  test.each<[string[], number, string, string]>([
    [["apply", "-"], 64 * 1_048_576, "\u00ff", "is not UTF-8 text"],
    [["import", "-", "--from", "csv"], 64 * 1_048_576, "PK\u0003\u0004", "found a workbook"],
    [["links", "update", ID, "--rules", "-"], 1_048_576, "{", "must be a JSON array"],
  ])("not in %j with more than %i bytes", async (words, bytesMax, start, fault) => {
    const bytes = new Uint8Array(bytesMax + 1);
    bytes.set(Buffer.from(start, "latin1"));
    const read = async (size: number) => (await run(words, [found], bytes.subarray(0, size))).notes;
    expect(await read(bytesMax)).toContain(fault);
    expect(await read(bytesMax + 1)).toContain("standard input is too large");
  });

  const LINKS_FILE = (count: number, more = "") => {
    const links = Array.from(
      { length: count },
      (_, index) => `{ code: new-${index}, url: https://a.example${more} }`,
    );
    return `version: 1\nlinks: [${links.join(", ")}]`;
  };
  const NO_LINKS = { data: [], meta: { next_before: null } };

  test.each<[string[], string]>([
    [["links", "export", "--format", "json"], ""],
    [["apply", "-", "--dry-run"], LINKS_FILE(0)],
  ])("for all links in %j, page by page, with the maximum page size", async (words, input) => {
    const first = { data: [link()], meta: { next_before: ID } };
    const second = { data: [link({ short_code: "second" })], meta: { next_before: null } };
    const { asked, output } = await run(words, [first, second], input);
    const query = { archived: "all", limit: "200" };
    expect(asked.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
      query,
      { ...query, before: ID },
    ]);
    expect(output).toContain("second");
  });

  test("only for a valid file, and list its first 20 errors", async () => {
    const name = async (count: number) =>
      (await run(["apply", "-"], [], LINKS_FILE(count, ", colour: red"))).notes;
    expect((await name(20)).split("\n")).toHaveLength(22);
    const more = (await name(21)).split("\n");
    expect(more).toHaveLength(23);
    expect(more.at(-2)).toBe("  … and 1 more");
  });

  test("to apply a file, and list the first 50 rejected links", async () => {
    const name = async (count: number) => {
      const errors = Array.from({ length: count }, (_, index) => ({
        index,
        error: "conflict",
        message: "No.",
      }));
      const answers = [NO_LINKS, { data: { created: [], errors }, meta: {} }];
      return (await run(["apply", "-", "--yes"], answers, LINKS_FILE(count))).notes;
    };
    const all = await name(50);
    expect(all).toContain("  create new-49: No.\n  Done: 0 created");
    expect(await name(51)).toContain("  create new-49: No.\n  … and 1 more\n  Done: 0 created");
  });

  test("to apply a file, with eight retries after limits of at most 90 seconds", async () => {
    const waitsMs: unknown[] = [];
    const { setTimeout } = globalThis;
    vi.stubGlobal("setTimeout", (resolve: () => void, durationMs: number) => {
      waitsMs.push(durationMs);
      return setTimeout(resolve, 0);
    });
    const error = { code: "RATE_LIMITED", message: "No." };
    const limit = () => Response.json({ error }, { status: 429, headers: { "Retry-After": "90" } });
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    expect(await run(["apply", "-"], [limit], LINKS_FILE(1))).toMatchObject({
      code: 6,
      asked: { length: 9 },
    });
    expect(waitsMs).toEqual(Array(8).fill(90_000));
    // A random part of half a second is added, here one millisecond.
    random.mockReturnValue(0.002);
    expect((await run(["apply", "-"], [limit], LINKS_FILE(1))).asked).toHaveLength(1);
  });

  test("to create links in calls of accepted size, whatever their characters", async () => {
    const sizes: number[] = [];
    const fetch = async (request: Request) => {
      sizes.push(((await request.json()) as { links: [] }).links.length);
      return Response.json({ data: { created: [], errors: [] } });
    };
    const client = createSignpostClient({ apiUrl: "https://api.example", key: KEY, retries: 0, fetch });
    // About 10 kB each, mostly in characters of three bytes.
    const fields = { ...DEFAULTS, url: `https://a.example/${"x".repeat(4_000)}`, note: "字".repeat(2_048) };
    const created = Array.from({ length: 100 }, (_, index) => ({
      name: `new-${index}`,
      code: `new-${index}`,
      externalId: null,
      aliases: [],
      fields,
      line: index + 1,
      passwordVariable: null,
      importedScans: 0,
      createdAt: null,
    }));
    const plan = { created, changed: [], unchanged: 0, absent: [] };
    expect(await runPlan({ client, plan, isPruned: false, passwords: new Map() })).toMatchObject({
      created: 100,
    });
    expect(sizes.sort()).toEqual([12, 88]);
  });

  test.each([
    [409, "CONFLICT", null, 2],
    [429, "DELIVERY_BACKLOG", { exitCode: 6 }, 1],
  ])(
    "to name the links that stay enabled if disabling them returns %i %s",
    async (status, code, end, calls) => {
      const fields = { ...DEFAULTS, url: "https://a.example/" };
      const created = ["on", "off"].map((slug) => ({
        name: slug,
        code: slug,
        externalId: null,
        aliases: [],
        fields: { ...fields, enabled: slug === "on" },
        line: 1,
        passwordVariable: null,
        importedScans: 0,
        createdAt: null,
      }));
      const changes = [{ field: "title" as const, before: null, after: "New" }];
      const changed = [{ link: link({ id: "other" }), desired: created[0], changes }];
      const asked: string[] = [];
      const fetch = async ({ method, url }: Request) => {
        asked.push(`${method} ${new URL(url).pathname}`);
        if (url.endsWith("/status")) return Response.json({ error: { code, message: "No." } }, { status });
        const links = created.map((item) => link({ id: item.code, short_code: item.code }));
        return Response.json({ data: { created: links, errors: [] } });
      };
      const client = createSignpostClient({ apiUrl: "https://api.example", key: KEY, retries: 0, fetch });
      const plan = { created, changed, unchanged: 0, absent: [] } as unknown as LinksPlan;
      expect(await runPlan({ client, plan, isPruned: false, passwords: new Map() })).toMatchObject({
        created: 1,
        changed: calls - 1,
        failures: [{ action: "create", code: "off", message: `created, but still enabled: ${code}: No.` }],
        end,
      });
      expect(asked.slice(0, 2)).toEqual(["POST /v1/links/bulk", "PATCH /v1/links/bulk/status"]);
      expect(asked).toHaveLength(calls + 1);
    },
  );

  test("to work on four links at a time", async () => {
    const { most, countCalls } = openCounter();
    const fetch = countCalls(async () => Response.json({ data: { deleted: true } }));
    const client = createSignpostClient({ apiUrl: "https://api.example", key: KEY, retries: 0, fetch });
    const absent = Array.from({ length: 9 }, (_, index) => link({ id: `${index}` })) as unknown as Link[];
    const plan = { created: [], changed: [], unchanged: 0, absent };
    expect(await runPlan({ client, plan, isPruned: true, passwords: new Map() })).toMatchObject({
      deleted: 9,
    });
    expect(most()).toBe(4);
  });

  describe("for a model", () => {
    const ask = (lines: readonly string[], answer: () => Response, counter = openCounter()) => {
      vi.stubGlobal(
        "fetch",
        counter.countCalls(async () => answer()),
      );
      const terminal = openFake(lines.join("\n"));
      const environment = { SIGNPOST_API_URL: "https://api.example", SIGNPOST_KEY: KEY };
      return runCommand(["mcp"], terminal, environment, "1").then(() =>
        terminal.output
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line)),
      );
    };
    const message = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });

    test("ten messages at a time", async () => {
      const counter = openCounter();
      const lines = Array.from({ length: 25 }, (_, index) => message(index));
      const answers = await ask(lines, () => Response.json({ jsonrpc: "2.0", id: 0, result: {} }), counter);
      expect(answers).toHaveLength(25);
      expect(counter.most()).toBe(10);
    });

    test("with JSON-RPC errors for invalid messages and a rejected key", async () => {
      const refused = () =>
        Response.json({ error: { code: "INVALID_API_KEY", message: "No." } }, { status: 401 });
      expect(await ask(["[]", message(7)], refused)).toEqual([
        { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "the line is not a JSON object" } },
        { jsonrpc: "2.0", id: 7, error: { code: -32_603, message: "INVALID_API_KEY: No." } },
      ]);
    });
  });
});

/** Counts simultaneous calls. */
function openCounter() {
  let underWay = 0;
  let most = 0;
  return {
    most: () => most,
    countCalls: (call: () => Promise<Response>) => async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return call();
    },
  };
}
