import { globSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { expect, test } from "vitest";

/** Rules between the rooms of the source, checked from its import statements. Paths are relative to src/. */

const SRC = resolve(import.meta.dirname, "../../src");

/** Floors of the house, lowest first. A room imports from its own floor and from lower ones. */
const FLOORS = [
  ["core"],
  ["env.ts", "db", "caching", "counting", "dead-letters", "pages"],
  ["tenant", "routing", "scans"],
  ["audit"],
  ["auth", "limits", "people"],
  ["http"],
  [
    "redirect",
    "webhooks",
    "links",
    "qr",
    "bio",
    "assets",
    "analytics",
    "workspace",
    "domains",
    "sign-in",
    "dashboard-host",
  ],
  ["openapi"],
  ["docs", "mcp"],
  ["api.ts", "cron.ts", "erasure.ts", "moves", "queues.ts", "robots.ts"],
  ["app.ts"],
  ["index.ts"],
  ["client", "cli"],
  ["dashboard"],
];

/** Files without I/O and clock; they receive both as arguments. A new pure file is added here. */
const PURE = `
  analytics/buckets.ts analytics/counts.ts analytics/day-counts.ts analytics/day-totals.ts analytics/fact-log.ts
  analytics/packed-text.ts analytics/retention.ts analytics/series.ts analytics/time-zone.ts
  assets/byte-range.ts assets/exact-length.ts assets/filename.ts assets/image-signature.ts assets/mime-type.ts
  assets/preconditions.ts assets/status.ts assets/upload-url.ts
  auth/authorization.ts auth/key.ts
  bio/bio-page.tsx bio/live.ts bio/merge-patch.ts bio/networks.ts bio/page-content.ts bio/page-language.ts bio/palette.ts bio/romanize.ts bio/slug.ts bio/style-sheet.ts
  bio/theme-types.ts bio/title-slug.ts bio/words.ts
  bio/theme-registry.ts bio/themes/auto.ts bio/themes/contrast.ts bio/themes/ink.ts bio/themes/mono.ts
  bio/themes/paper.ts bio/themes/sunrise.ts
  caching/byte-bounded-map.ts
  audit/resource-type.ts
  client/apply/desired-link.ts client/apply/links-plan.ts client/apply/source-tree.ts client/apply/write-links-file.ts
  client/import/cell-text.ts client/import/column-map.ts client/import/csv-table.ts client/import/file-text.ts
  client/import/json-fields.ts client/import/json-items.ts client/import/json-offsets.ts client/import/read-csv.ts
  client/import/read-json.ts client/import/sources/bitly.ts client/import/sources/dub.ts
  client/import/sources/foreign-rules.ts client/import/sources/import-source.ts client/import/sources/kutt.ts
  client/import/sources/rebrandly.ts client/import/sources/shlink-rules.ts client/import/sources/shlink.ts
  client/import/sources/short-io.ts client/import/sources/sink.ts client/import/sources/source-table.ts
  client/import/sources/yourls.ts
  client/import/fit-destination.ts client/import/fit-link.ts client/import/fit-rules.ts client/import/fit-slug.ts
  client/import/fit-texts.ts client/import/foreign-link.ts client/import/import-row.ts client/import/line-counter.ts
  client/import/compare-answers.ts client/import/create-batch.ts client/import/cut-batches.ts client/import/import-report.ts
  client/import/import-target.ts client/import/pacer.ts client/import/plan-import.ts client/import/prepare-import.ts
  client/import/generated-codes.ts client/import/run-import.ts client/import/verify-import.ts
  client/import/moments.ts client/import/read-import.ts client/import/sources/any-csv.ts
  client/schema.d.ts client/next-cursor.ts
  cli/demo/demo-links.ts cli/demo/demo-month.ts cli/demo/demo-pages.ts cli/demo/demo-visitors.ts cli/demo/random.ts
  dashboard/address/query-state.ts dashboard/address/route-match.ts dashboard/components/combobox-options.ts
  dashboard/components/row-selection.ts dashboard/components/sortable-order.ts dashboard/data/api-fault.ts dashboard/keyboard/key-sequence.ts
  dashboard/data/bulk-run.ts dashboard/data/draw-qr.ts dashboard/screens/links/link-draft.ts
  dashboard/components/chart/chart-scale.ts dashboard/reports/point-names.ts
  dashboard/reports/scan-filters.ts dashboard/reports/scan-series.ts dashboard/reports/shown-range.ts
  dashboard/reports/value-names.ts dashboard/screens/overview/attention.ts dashboard/screens/overview/first-steps.ts
  dashboard/screens/links/link-filters.ts dashboard/data/link-state.ts dashboard/screens/links/utm.ts
  dashboard/screens/links/bulk-labels.ts dashboard/screens/links/link-summary.ts dashboard/screens/links/paste-address.ts
  dashboard/data/zoned-time.ts dashboard/screens/links/history/history-words.ts
  dashboard/screens/links/rules/rule-draft.ts dashboard/screens/links/rules/rule-faults.ts
  dashboard/screens/links/rules/rule-templates.ts dashboard/screens/links/rules/rule-values.ts
  dashboard/screens/links/rules/rule-words.ts dashboard/screens/links/tester/tester-visitor.ts
  dashboard/screens/links/tester/tester-words.ts
  dashboard/screens/assets/asset-filters.ts
  dashboard/screens/import/column-choices.ts dashboard/screens/import/export-count.ts
  dashboard/screens/import/import-address.ts dashboard/screens/import/import-labels.ts
  dashboard/screens/import/import-results.ts dashboard/screens/import/import-warnings.ts
  dashboard/screens/import/plan-lines.ts dashboard/screens/import/sample-file.ts
  dashboard/screens/import/source-tiles.ts dashboard/screens/import/summary-words.ts
  dashboard/screens/qr/design-checks.ts dashboard/screens/qr/design-history.ts dashboard/screens/qr/design-looks.ts
  dashboard/screens/qr/design-query.ts dashboard/screens/qr/draw-design.ts dashboard/screens/qr/print-size.ts
  dashboard/screens/qr/shape-tiles.ts
  dashboard/uploads/asset-kind.ts
  dashboard/screens/page-editor/block-state.ts dashboard/screens/page-editor/colour-notes.ts
  dashboard/screens/page-editor/edit-history.ts dashboard/screens/page-editor/editor-tabs.ts
  dashboard/screens/page-editor/page-address.ts dashboard/screens/page-editor/page-draft.ts
  dashboard/screens/page-editor/visit-days.ts dashboard/screens/pages/bio-url.ts
  dashboard/screens/pages/preview-page.ts dashboard/screens/pages/starters.ts
  dashboard/components/format-moment.ts dashboard/data/call-gate.ts dashboard/data/paged-list.ts dashboard/data/schemas.ts dashboard/data/service-limits.ts
  dashboard/screens/settings/audit-changes.ts dashboard/screens/settings/audit-csv.ts dashboard/screens/settings/audit-filters.ts
  dashboard/screens/settings/audit-words.ts dashboard/screens/settings/domain-draft.ts dashboard/screens/settings/key-scopes.ts
  dashboard/screens/settings/key-state.ts dashboard/screens/settings/role-texts.ts dashboard/screens/settings/settings-sections.ts
  dashboard/screens/settings/usage-meters.ts dashboard/screens/settings/well-known.ts
  dashboard/screens/webhooks/delivery-filters.ts dashboard/screens/webhooks/delivery-health.ts
  dashboard/screens/webhooks/endpoint-draft.ts dashboard/screens/webhooks/event-catalog.ts
  dashboard/screens/webhooks/request-headers.ts
  db/json-steps.ts
  dead-letters/queue-name.ts
  domains/hostname.ts
  docs/literals.ts docs/request-code.ts
  env.ts
  limits/token-bucket.ts
  mcp/tools.ts
  links/canonical-conditions.ts links/destination-fault.ts links/link-limits.ts links/search-terms.ts
  pages/error-document.ts pages/password-document.ts pages/plate.ts pages/preview-document.ts pages/signpost-art.ts
  people/email.ts people/oidc/identity-claims.ts people/oidc/return-path.ts people/oidc/sign-in-fault.ts
  people/oidc/sign-in-transaction.ts people/oidc/transaction-cookie.ts people/roles.ts people/host-cookie.ts people/session-cookie.ts people/session-times.ts
  people/scim/apply-patch.ts people/scim/element-filter.ts people/scim/group-patch.ts people/scim/list-response.ts
  people/scim/patch-path.ts people/scim/patch-request.ts people/scim/project-resource.ts people/scim/role-name.ts
  people/scim/scim-attributes.ts people/scim/scim-documents.ts people/scim/scim-error.ts people/scim/scim-filter.ts
  people/scim/scim-token.ts people/scim/user-record.ts people/scim/group-record.ts
  qr/blocks.ts qr/bytes.ts qr/deflate.ts qr/design.ts qr/design-faults.ts qr/huffman.ts qr/image-header.ts qr/image-size.ts
  qr/matrix.ts qr/module-keys.ts qr/pdf-file.ts qr/pdf.ts qr/picture-data.ts qr/png-file.ts qr/png.ts qr/shape.ts qr/span.ts
  qr/span-writer.ts qr/svg.ts qr/symbol.ts qr/tile-grid.ts qr/tiled-png.ts qr/tiles.ts
  redirect/cached-entry.ts redirect/change-key.ts redirect/feed-document.ts redirect/feed-view.ts redirect/target.ts
  routing/api-paths.ts routing/countries.ts routing/geo.ts routing/network.ts routing/preview-fetchers.ts routing/rules.ts
  routing/short-code.ts routing/user-agent.ts routing/visitor.ts
  scans/dimensions.ts scans/scan-facts.ts scans/tidy-scan.ts scans/traffic.ts
  tenant/deleted-name.ts tenant/own-hosts.ts tenant/plans.ts
  webhooks/delivery-state.ts webhooks/signature.ts
`
  .trim()
  .split(/\s+/);
/** Packages without I/O. The elements of Hono are texts. */
const PURE_PACKAGES = ["any-ascii", "bowser", "hono/jsx", "isbot", "papaparse", "qr", "yaml"];

const files = globSync("**/*.{ts,tsx}", { cwd: SRC }).filter(
  (file) => file !== "bindings.d.ts" && !file.startsWith("client/dist/"),
);
const source = new Map(files.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));
const imports = new Map([...source].map(([file, text]) => [file, listImports(text, posix.dirname(file))]));

/** Lists static, lazy and type imports, and re-exports. */
function listImports(text: string, folder: string): string[] {
  const found = text.matchAll(/^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm);
  const names = [...found].map(([, name, lazy]) => name ?? lazy ?? "");
  return names.map((name) => (name.startsWith(".") ? posix.join(folder, name) : name));
}

/** Lists the imports that are evaluated before the file itself: those that are neither lazy nor types. */
function listEvaluatedImports(file: string): string[] {
  const text = (source.get(file) ?? "").replace(/^import type\s[^;]*;|\bimport\("[^"]+"\)/gm, "");
  return listImports(text, posix.dirname(file));
}

/** Lists every import that breaks a rule, as `file → import`. */
function listBreaches(isBreach: (file: string, imported: string) => boolean): string[] {
  const edges = [...imports].flatMap(([file, names]) => names.map((name) => [file, name] as const));
  return edges.filter(([file, name]) => isBreach(file, name)).map((edge) => edge.join(" → "));
}

const isCore = (file: string) => file.startsWith("core/");
const isPure = (file: string) => isCore(file) || PURE.includes(file);
const isSource = (name: string) => source.has(name);
/** Returns the first segment of a path: a folder, or a file at the top. */
const getRoom = (file: string) => file.split("/", 1)[0] ?? "";
const getFloor = (file: string) => FLOORS.findIndex((rooms) => rooms.includes(getRoom(file)));

test("every file that a rule names or that is imported exists", () => {
  expect(PURE.filter((file) => !isSource(file))).toEqual([]);
  expect(listBreaches((_, name) => /\.tsx?$/.test(name) && !isSource(name))).toEqual([]);
});

test("every room has a floor", () => {
  expect(files.filter((file) => getFloor(file) === -1)).toEqual([]);
});

test("rooms import from their own floor and from lower floors only", () => {
  expect(listBreaches((file, name) => isSource(name) && getFloor(name) > getFloor(file))).toEqual([]);
});

test("rooms have no import cycle", () => {
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

test("only app, api, http, routes and views import hono and the request context", () => {
  const isAllowed = /^(?:app|api)\.ts$|^http\/|^docs\/|\.routes\.ts$|\.tsx$/;
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

/** Lists the files that write a table, through Drizzle or as SQL. The admin command writes records of several rooms. */
function listWriters({ constant, name }: { constant: string; name: string }): string[] {
  const drizzle = new RegExp(`\\.(?:insert|update|delete)\\(${constant}\\)`);
  const sql = new RegExp(`(?:INSERT INTO|UPDATE|DELETE FROM) ${name}\\b`);
  return files.filter((file) => {
    const text = source.get(file) ?? "";
    const imported = new RegExp(`\\b${constant}\\b[^;]*\\.table\\.ts"`).test(text);
    return !file.startsWith("cli/") && (sql.test(text) || (imported && drizzle.test(text)));
  });
}

test("a file uses tables of the directory or of the shards, since no statement reaches both", () => {
  const isOfDirectory = (name: string) => name.endsWith(".directory.table.ts");
  const isOfShard = (name: string) => name.endsWith(".table.ts") && !isOfDirectory(name);
  const breaches = files.filter((file) => {
    const names = imports.get(file) ?? [];
    return [file, ...names].some(isOfDirectory) && [file, ...names].some(isOfShard);
  });
  expect(breaches).toEqual([]);
});

test("a table is written by its own room only", () => {
  expect(tables.length).toBeGreaterThan(10);
  const strangers = tables.flatMap((table) =>
    listWriters(table)
      .filter((file) => getRoom(file) !== table.room)
      .map((file) => `${file} writes ${table.name}`),
  );
  expect(strangers).toEqual([]);
});

test("only link-writes.ts writes links, so that the redirects follow every change; scan counts are apart", () => {
  expect(listWriters({ constant: "links", name: "links" }).sort()).toEqual([
    "links/link-writes.ts",
    "links/scan-counts.ts",
  ]);
});

test("one file tells which hosts are own, and one file knows loopback addresses", () => {
  const compares = /\b(?:apiHost|appHost|bioHost|cdnHost|shortHost)\b/;
  const allowed = ["env.ts", "tenant/own-hosts.ts", "app.ts"];
  const isWorker = (file: string) => !file.startsWith("cli/");
  const others = files.filter((file) => isWorker(file) && compares.test(source.get(file) ?? ""));
  expect(others.filter((file) => !allowed.includes(file))).toEqual([]);
  expect(files.filter((file) => /127\(\?:/.test(source.get(file) ?? ""))).toEqual(["core/hosts.ts"]);
});

test("the Worker and the client import neither the commands nor Node", () => {
  const isCommand = (file: string) => /^(?:client\/)?cli\//.test(file);
  expect(listBreaches((file, name) => !isCommand(file) && /^(?:client\/)?cli\/|^node:/.test(name))).toEqual(
    [],
  );
});

test("only core/log.ts writes to the console, so that no line of the log holds a value", () => {
  // The guides and examples of the reference show code for clients.
  const isWorker = (file: string) => !/^(?:cli|client|docs)\//.test(file);
  const writers = files.filter((file) => isWorker(file) && /\bconsole\b/.test(source.get(file) ?? ""));
  expect(writers).toEqual(["core/log.ts"]);
});

test("only the entries of the Worker and of the client re-export", () => {
  const reexports = (file: string) => /^export\s[^;"]*\sfrom\s"/m.test(source.get(file) ?? "");
  expect(files.filter(reexports).sort()).toEqual(["client/signpost-client.ts", "index.ts"]);
});

test("source files have distinct names", () => {
  const names = files.map((file) => posix.basename(file));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

/** Lists what the import of a file evaluates: the file, and what it imports directly and indirectly. */
function listEvaluated(file: string): string[] {
  const evaluated = new Set([file]);
  for (const found of evaluated) for (const next of listEvaluatedImports(found)) evaluated.add(next);
  return [...evaluated];
}

test("a cold start evaluates only what redirects need", () => {
  const evaluated = listEvaluated("index.ts");
  const expected = /^(?:app|env|index)\.ts$|^(?:caching|core|counting|redirect|routing|scans)\//;
  expect(evaluated.filter((file) => !expected.test(file)).sort()).toEqual([
    "bowser",
    "cloudflare:workers",
    "db/retry.ts",
    "db/retrying-database.ts",
    "db/shards.ts",
    "isbot",
    "limits/limiter.ts",
    "limits/password-tries.ts",
    "limits/token-bucket.ts",
    "tenant/own-hosts.ts",
    "webhooks/endpoint-health.ts",
  ]);
});

test("the commands of a local start evaluate no database library, which takes half a second", () => {
  const evaluated = ["cli/admin.ts", "cli/dev.ts"].flatMap(listEvaluated);
  expect(evaluated.filter((name) => /^drizzle-orm/.test(name))).toEqual([]);
});

test("the tables of the transliteration are evaluated only where a slug is derived from a title", () => {
  const importers = files.filter((file) => imports.get(file)?.includes("any-ascii"));
  expect(importers).toEqual(["bio/romanize.ts"]);
  const starts = files.filter((file) => listEvaluated(file).includes("any-ascii"));
  expect(starts.sort()).toEqual(["bio/romanize.ts", "bio/title-slug.ts"]);
});

test("the dashboard takes only pure files of the Worker along, and of the client its types, imports and repetition", () => {
  const isOfDashboard = (file: string) => file.startsWith("dashboard/");
  const ofClient = /^client\/(?:import\/|schema\.d\.ts$|retrying-fetch\.ts$|abortable-sleep\.ts$)/;
  const isAllowed = (name: string) => isOfDashboard(name) || isPure(name) || ofClient.test(name);
  expect(listBreaches((file, name) => isOfDashboard(file) && isSource(name) && !isAllowed(name))).toEqual([]);
  expect(listBreaches((file, name) => !isOfDashboard(file) && isOfDashboard(name))).toEqual([]);
});

test("every component of the dashboard is shown on the page of components", () => {
  // Messages are in the frame of every page.
  const inFrame = "dashboard/components/toasts.tsx";
  const components = files.filter(
    (file) => /^dashboard\/components\/.*\.tsx$/.test(file) && file !== inFrame,
  );
  const samples = files.filter((file) => file.startsWith("dashboard/screens/gallery/"));
  const shown = new Set(samples.flatMap((file) => imports.get(file) ?? []));
  expect(components.filter((file) => !shown.has(file))).toEqual([]);
});

test("a bio page is served without the schemas of the API", () => {
  const evaluated = listEvaluated("bio/public.ts");
  expect(
    evaluated.filter((file) => /^(?:http|openapi)\/|\.schema\.ts$|^@?(?:zod|hono)\b/.test(file)),
  ).toEqual([]);
});
