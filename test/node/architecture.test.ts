import { globSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { expect, test } from "vitest";

/** Rules between the folders of the source, checked on its import statements. Paths are relative to src/. */

const SRC = resolve(import.meta.dirname, "../../src");

/** Layers of folders, lowest first. A folder imports from its own layer and from lower ones. */
const FLOORS = [
  ["core", "pages", "permissions"],
  ["env.ts", "db", "counting", "dead-letters"],
  ["tenant", "scans"],
  ["routing", "caching", "limits", "safety"],
  ["http", "change-feed", "dashboard-host"],
  ["audit", "resolving", "workspace"],
  ["keys", "members", "guards", "trash", "webhooks"],
  ["auth", "redirect", "links", "assets", "people", "scim", "sign-in"],
  ["qr", "analytics", "domains", "openapi", "destination-watch"],
  ["bio", "mcp", "reports"],
  ["backup", "docs", "moves", "queues.ts", "robots.ts", "status"],
  ["api.ts", "erasure.ts"],
  ["app.ts", "cron.ts"],
  ["index.ts"],
  ["self-host"],
  ["client", "cli"],
  ["dashboard"],
];

/** First line of files without I/O and clock, which receive both as arguments. */
const PURE_MARK = "// Pure: no I/O, clock or randomness.\n";
/** Packages without I/O, and the outlines of a font. Hono's elements are strings. */
const PURE_PACKAGES = [
  "../dist/font/outlines.js",
  "bowser",
  "hono/jsx",
  "isbot",
  "papaparse",
  "punycode/punycode.js",
  "qr",
  "yaml",
];

const files = globSync("**/*.{ts,tsx}", { cwd: SRC }).filter(
  (file) => file !== "bindings.d.ts" && !file.startsWith("client/dist/"),
);
const source = new Map(files.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));
const imports = new Map([...source].map(([file, text]) => [file, listImports(text, posix.dirname(file))]));
/** Imports that are evaluated before the file itself, so neither lazy nor type imports. */
const evaluatedImports = new Map(
  [...source].map(([file, text]) => {
    const evaluated = text.replace(/^import type\s[^;]*;|\bimport\("[^"]+"\)/gm, "");
    return [file, listImports(evaluated, posix.dirname(file))] as const;
  }),
);

/** Lists static, lazy and type imports, and re-exports. */
function listImports(text: string, folder: string): string[] {
  const found = text.matchAll(/^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm);
  const names = [...found].map(([, name, lazy]) => name ?? lazy ?? "");
  return names.map((name) => (name.startsWith(".") ? posix.join(folder, name) : name));
}

/** Lists every import that breaks a rule, as `file → import`. */
function listBreaches(isBreach: (file: string, imported: string) => boolean): string[] {
  const edges = [...imports].flatMap(([file, names]) => names.map((name) => [file, name] as const));
  return edges.filter(([file, name]) => isBreach(file, name)).map((edge) => edge.join(" → "));
}

const isCore = (file: string) => file.startsWith("core/");
const isMarked = (file: string) => (source.get(file) ?? "").startsWith(PURE_MARK);
const isPure = (file: string) => isCore(file) || file.endsWith(".d.ts") || isMarked(file);
const isSource = (name: string) => source.has(name);
/** Returns the first segment of a path: a folder, or a file at the top. */
const getRoom = (file: string) => file.split("/", 1)[0] ?? "";
const getFloor = (file: string) => FLOORS.findIndex((rooms) => rooms.includes(getRoom(file)));

test("every imported file exists", () => {
  expect(listBreaches((_, name) => /\.tsx?$/.test(name) && !isSource(name))).toEqual([]);
});

test("every folder has a layer", () => {
  expect(files.filter((file) => getFloor(file) === -1)).toEqual([]);
});

test("folders only import from their own layer and from lower layers", () => {
  expect(listBreaches((file, name) => isSource(name) && getFloor(name) > getFloor(file))).toEqual([]);
});

test("folders have no import cycle", () => {
  const edges = new Map<string, Set<string>>();
  for (const [file, names] of imports) {
    const room = getRoom(file);
    const targets = edges.get(room) ?? new Set();
    for (const name of names) if (isSource(name) && getRoom(name) !== room) targets.add(getRoom(name));
    edges.set(room, targets);
  }
  expect(findCycles([...edges.keys()], (room) => edges.get(room) ?? [])).toEqual([]);
});

test("files have no import cycle", () => {
  expect(findCycles(files, (file) => imports.get(file) ?? [])).toEqual([]);
});

/** Lists the nodes that reach themselves. */
function findCycles(nodes: readonly string[], next: (node: string) => Iterable<string>): string[] {
  return nodes.filter((start) => {
    const reached = new Set(next(start));
    for (const node of reached) for (const further of next(node)) reached.add(further);
    return reached.has(start);
  });
}

test("core imports only core", () => {
  expect(listBreaches((file, name) => isCore(file) && !isCore(name))).toEqual([]);
});

test("pure files import only pure files and packages, and use neither clock nor randomness", () => {
  expect(
    listBreaches((file, name) => isPure(file) && !isPure(name) && !PURE_PACKAGES.includes(name)),
  ).toEqual([]);
  const impure = /\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bMath\.random\(/;
  expect(files.filter((file) => isPure(file) && impure.test(source.get(file) ?? ""))).toEqual([]);
});

test("only app, api, auth, http, routes and views import hono and the request context", () => {
  const isAllowed = /^(?:app|api)\.ts$|^(?:auth|docs|http)\/|\.routes\.ts$|\.tsx$/;
  const isHono = (name: string) => /^@?hono\b/.test(name) || name === "http/context.ts";
  expect(listBreaches((file, name) => isHono(name) && !isAllowed.test(file))).toEqual([]);
});

test("only api.ts imports routes", () => {
  expect(listBreaches((file, name) => name.endsWith(".routes.ts") && file !== "api.ts")).toEqual([]);
});

test("routes and schemas import neither tables nor Drizzle", () => {
  const isOutside = (file: string) => /\.(?:routes|schema)\.ts$/.test(file);
  const types = /^import type\s[^;]*\.table\.ts";$/gm;
  const breaches = files.filter((file) => {
    const text = (source.get(file) ?? "").replace(types, "");
    return isOutside(file) && listImports(text, posix.dirname(file)).some(isTableImport);
  });
  expect(breaches).toEqual([]);
});

function isTableImport(name: string): boolean {
  return /^drizzle-orm|\.table\.ts$/.test(name);
}

/** Tables of the source: name in SQL, name of the constant, and folder. */
const tables = files
  .filter((file) => file.endsWith(".table.ts"))
  .flatMap((file) =>
    [...(source.get(file) ?? "").matchAll(/export const (\w+) = sqliteTable\(\s*"(\w+)"/g)].map(
      ([, constant = "", name = ""]) => ({ constant, name, room: getRoom(file) }),
    ),
  );

/**
 * Lists the files that write a table, through Drizzle or as SQL. The admin command writes records of several
 * folders.
 */
function listWriters({ constant, name }: { constant: string; name: string }): string[] {
  const drizzle = new RegExp(`\\.(?:insert|update|delete)\\(${constant}\\)`);
  const sql = new RegExp(`(?:INSERT INTO|UPDATE|DELETE FROM) ${name}\\b`);
  return files.filter((file) => {
    const text = source.get(file) ?? "";
    // The expressions search a whole file, so they only run where a name appears.
    if (!text.includes(name) && !text.includes(constant)) return false;
    const imported = new RegExp(`\\b${constant}\\b[^;]*\\.table\\.ts"`).test(text);
    return !file.startsWith("cli/") && (sql.test(text) || (imported && drizzle.test(text)));
  });
}

test("a file uses tables of the directory or of the shards, because no statement reaches both", () => {
  const isOfDirectory = (name: string) => name.endsWith(".directory.table.ts");
  const isOfShard = (name: string) => name.endsWith(".table.ts") && !isOfDirectory(name);
  const breaches = files.filter((file) => {
    const names = imports.get(file) ?? [];
    return [file, ...names].some(isOfDirectory) && [file, ...names].some(isOfShard);
  });
  expect(breaches).toEqual([]);
});

test("only its own folder writes a table", () => {
  expect(tables.length).toBeGreaterThan(10);
  const strangers = tables.flatMap((table) =>
    listWriters(table)
      // An import writes rows as they were exported.
      .filter((file) => getRoom(file) !== table.room && file !== "backup/import-workspace.ts")
      .map((file) => `${file} writes ${table.name}`),
  );
  // Owners invite, change and remove members. Provisioning does so for an identity provider.
  expect(strangers.toSorted()).toEqual([
    "people/accept-invitation.ts writes members",
    "people/manage-members.ts writes members",
    "scim/users.ts writes members",
  ]);
});

test("only link-writes.ts writes links, so that redirects see every change, except for what they don't need", () => {
  expect(listWriters({ constant: "links", name: "links" }).sort()).toEqual([
    "links/destination-status.ts",
    "links/link-writes.ts",
    "links/scan-counts.ts",
  ]);
});

test("SQL text is used only where Drizzle is too expensive or cannot name the tables, in separate files", () => {
  const isText = (file: string) => !file.startsWith("cli/") && /\.prepare\(/.test(source.get(file) ?? "");
  const isAllowed =
    /^(?:analytics|backup|change-feed|counting|db|moves|resolving)\/|^(?:assets\/file-owner|bio\/page-counts|keys\/verify-key|links\/scan-counts|members\/verify-session|safety\/suspended-workspaces|tenant\/locations|tenant\/transits|trash\/late-counts)\.ts$/;
  expect(files.filter((file) => isText(file) && !isAllowed.test(file))).toEqual([]);
  const usesDrizzle = (file: string) => (evaluatedImports.get(file) ?? []).some(isTableImport);
  // Moves run the statements of transits.ts, and other statements contain its conditions.
  expect(files.filter((file) => isText(file) && usesDrizzle(file)).sort()).toEqual([
    "db/raw-query.ts",
    "tenant/transits.ts",
  ]);
});

test("only one file decides which hosts are own hosts, and only one which addresses are loopback", () => {
  const compares = /\b(?:apiHost|appHost|bioHost|cdnHost|shortHost)\b/;
  const allowed = ["env.ts", "tenant/own-hosts.ts", "app.ts", "backup/import-workspace.ts"];
  const isWorker = (file: string) => !file.startsWith("cli/");
  const others = files.filter((file) => isWorker(file) && compares.test(source.get(file) ?? ""));
  expect(others.filter((file) => !allowed.includes(file))).toEqual([]);
  expect(files.filter((file) => /127\(\?:/.test(source.get(file) ?? ""))).toEqual(["core/hosts.ts"]);
});

test("the Worker and the client import neither the commands nor Node", () => {
  const isCommand = (file: string) =>
    /^(?:client\/)?cli\/|^backup\/(?:archive|foreign-rows|(?:export|import)-workspace)\.ts$/.test(file);
  expect(
    listBreaches((file, name) => !isCommand(file) && (isCommand(name) || name.startsWith("node:"))),
  ).toEqual([]);
});

test("only core/log.ts writes to the console, so that no log line contains a value", () => {
  // The guides and examples of the reference contain code for clients.
  const isWorker = (file: string) => !/^(?:cli|client|docs)\//.test(file);
  const writers = files.filter((file) => isWorker(file) && /\bconsole\b/.test(source.get(file) ?? ""));
  expect(writers).toEqual(["core/log.ts"]);
});

test("only the entry points of the Workers and the client have re-exports", () => {
  const reexports = (file: string) => /^export\s[^;"]*\sfrom\s"/m.test(source.get(file) ?? "");
  expect(files.filter(reexports).sort()).toEqual([
    "client/signpost-client.ts",
    "index.ts",
    "self-host/dev-worker.ts",
    "self-host/start-worker.ts",
  ]);
});

test("the files of a folder have distinct names", () => {
  const names = files.map((file) => `${getRoom(file)}: ${posix.basename(file)}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

/** Lists what importing a file evaluates: the file and its direct and indirect imports. */
function listEvaluated(file: string): string[] {
  const evaluated = new Set([file]);
  for (const found of evaluated) for (const next of evaluatedImports.get(found) ?? []) evaluated.add(next);
  return [...evaluated];
}

test("a cold start only evaluates what redirects need", () => {
  const evaluated = listEvaluated("index.ts");
  const expected =
    /^(?:app|env|index)\.ts$|^(?:caching|change-feed|core|counting|redirect|resolving|routing|scans)\//;
  expect(evaluated.filter((file) => !expected.test(file)).sort()).toEqual([
    "bowser",
    "cloudflare:workers",
    "db/retry.ts",
    "db/retrying-database.ts",
    "db/shards.ts",
    "guards/scan-gate.ts",
    "isbot",
    "limits/client-name.ts",
    "limits/limiter.ts",
    "limits/password-tries.ts",
    "limits/token-bucket.ts",
    "limits/unknown-limit.ts",
    "pages/report-uri.ts",
    "safety/host-names.ts",
    "status/request-counter.ts",
    "tenant/own-hosts.ts",
    "webhooks/endpoint-health.ts",
  ]);
});

test("the commands of local development evaluate no database library, which would take half a second", () => {
  const evaluated = ["cli/admin.ts", "cli/dev.ts"].flatMap(listEvaluated);
  expect(evaluated.filter((name) => /^drizzle-orm/.test(name))).toEqual([]);
});

test("the transliteration table is only evaluated when a slug is derived from a title", () => {
  const starts = files.filter((file) => listEvaluated(file).includes("bio/letters.ts"));
  expect(starts.sort()).toEqual(["bio/letters.ts", "bio/romanize.ts", "bio/title-slug.ts"]);
});

test("the dashboard imports only pure Worker files, and the client's types, imports and retries", () => {
  const isOfDashboard = (file: string) => file.startsWith("dashboard/");
  const ofClient =
    /^client\/(?:import\/|schema\.d\.ts$|typed-calls\.ts$|retrying-fetch\.ts$|abortable-sleep\.ts$)/;
  const isAllowed = (name: string) => isOfDashboard(name) || isPure(name) || ofClient.test(name);
  expect(listBreaches((file, name) => isOfDashboard(file) && isSource(name) && !isAllowed(name))).toEqual([]);
  expect(listBreaches((file, name) => !isOfDashboard(file) && isOfDashboard(name))).toEqual([]);
});

test("the component page shows every component of the dashboard", () => {
  // Messages are in the frame of every page.
  const inFrame = "dashboard/components/toasts.tsx";
  const components = files.filter(
    (file) => /^dashboard\/components\/.*\.tsx$/.test(file) && file !== inFrame,
  );
  const samples = files.filter((file) => file.startsWith("dashboard/screens/gallery/"));
  const shown = new Set(samples.flatMap((file) => imports.get(file) ?? []));
  expect(components.filter((file) => !shown.has(file))).toEqual([]);
});

test("every count with a noun has its singular, from formatCount", () => {
  const nouns =
    "scan link click view file rule label row event key member domain code image page endpoint day attempt condition module tag";
  const plurals = [...nouns.split(" ").map((noun) => `${noun}s`), "deliveries", "entries"].join("|");
  // A placeholder of a template, or of text in JSX, before a plural. Maximums are constants in capitals.
  const count = new RegExp(
    String.raw`(?:\$\{(?![A-Z_]+\})[^{}]+\}|[>\s]\{[\w.]+\}) (?:${plurals})\b(?![=\s]*[={])`,
  );
  const found = files.flatMap((file) =>
    (source.get(file) ?? "").split("\n").filter((line) => count.test(line) && !line.includes("@link")),
  );
  expect(found).toEqual([]);
});

test("no value of z.core is used, because it would bundle every language of zod: 264 kB", () => {
  expect(files.filter((file) => /\bz\.core\.[a-z]/.test(source.get(file) ?? ""))).toEqual([]);
});

test("serving a bio page does not need the schemas of the API", () => {
  const evaluated = listEvaluated("bio/public.ts");
  expect(
    evaluated.filter((file) => /^(?:http|openapi)\/|\.schema\.ts$|^@?(?:zod|hono)\b/.test(file)),
  ).toEqual([]);
});
