import { globSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { expect, test } from "vitest";

/** The rules between rooms of the house, checked from the import statements. Paths are relative to src/. */

const SRC = resolve(import.meta.dirname, "../../src");
/** No I/O, no clock: what they need of the world comes as arguments. A new pure file is entered here. */
const PURE = `
  analytics/buckets.ts
  assets/byte-range.ts assets/exact-length.ts assets/filename.ts assets/image-type.ts assets/mime-type.ts
  assets/preconditions.ts assets/status.ts assets/upload-url.ts
  auth/key.ts auth/plans.ts
  bio/live.ts bio/networks.ts bio/palette.ts bio/signpost-art.ts bio/slug.ts bio/style.ts bio/theme.ts bio/themes.ts
  bio/themes/auto.ts bio/themes/contrast.ts bio/themes/ink.ts bio/themes/mono.ts bio/themes/paper.ts
  bio/themes/sunrise.ts
  env.ts
  limits/token-bucket.ts
  links/code.ts links/countries.ts links/rules.ts
  qr/blocks.ts qr/design.ts qr/image-type.ts qr/matrix.ts qr/png-file.ts qr/png.ts qr/shape.ts qr/svg.ts qr/symbol.ts
  qr/tiles.ts
  redirect/target.ts redirect/user-agent.ts redirect/visitor.ts
  webhooks/events.ts webhooks/guard.ts webhooks/sign.ts
`
  .trim()
  .split(/\s+/);
/** Packages that are pure themselves. */
const PURE_PACKAGES = ["bowser", "isbot", "qr"];
const MIDDLEWARE = ["auth/authenticate.ts", "limits/rate-limit.ts"];

const files = globSync("**/*.{ts,tsx}", { cwd: SRC }).filter((file) => file !== "bindings.d.ts");
const source = new Map(files.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));
const imports = new Map([...source].map(([file, text]) => [file, importsIn(text, posix.dirname(file))]));

/** Static, lazy and type imports alike, and what is passed on. */
function importsIn(text: string, folder: string): string[] {
  const found = text.matchAll(/^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm);
  const names = [...found].map(([, name, lazy]) => name ?? lazy ?? "");
  return names.map((name) => (name.startsWith(".") ? posix.join(folder, name) : name));
}

/** What an import brings in before the file itself is evaluated: those neither lazy nor of types alone. */
function evaluatedBefore(file: string): string[] {
  const text = (source.get(file) ?? "").replace(/^import type\s[^;]*;|\bimport\("[^"]+"\)/gm, "");
  return importsIn(text, posix.dirname(file));
}

/** Every import that `isBreach` objects to, as `file → import`. */
function breaches(isBreach: (file: string, imported: string) => boolean): string[] {
  const all = [...imports].flatMap(([file, names]) => names.map((name) => [file, name] as const));
  return all.filter(([file, name]) => isBreach(file, name)).map((edge) => edge.join(" → "));
}

const isCore = (file: string) => file.startsWith("core/");
const isPure = (file: string) => isCore(file) || PURE.includes(file);

test("every file named here or imported exists", () => {
  expect([...PURE, ...MIDDLEWARE].filter((file) => !source.has(file))).toEqual([]);
  expect(breaches((_, name) => /\.tsx?$/.test(name) && !source.has(name))).toEqual([]);
});

test("core imports nothing of ours and no package", () => {
  expect(breaches((file, name) => isCore(file) && !isCore(name))).toEqual([]);
});

test("pure files import core and each other only, and have no clock and no chance", () => {
  expect(breaches((file, name) => isPure(file) && !isPure(name) && !PURE_PACKAGES.includes(name))).toEqual(
    [],
  );
  const impure = /\bDate\.now\(|\bnew Date\(\)|\bperformance\.|\bMath\.random\(/;
  expect(files.filter((file) => isPure(file) && impure.test(source.get(file) ?? ""))).toEqual([]);
});

test("hono and its context are seen in app, api, http, routes, views and middleware only", () => {
  const maySee = /^(?:app|api)\.ts$|^http\/|\.routes\.ts$|\.tsx$/;
  const isHono = (name: string) => /^@?hono\b/.test(name) || name === "http/context.ts";
  expect(breaches((file, name) => isHono(name) && !maySee.test(file) && !MIDDLEWARE.includes(file))).toEqual(
    [],
  );
});

test("routes are imported by what puts the API together, and by nobody else", () => {
  expect(breaches((file, name) => name.endsWith(".routes.ts") && file !== "api.ts")).toEqual([]);
});

test("routes and schemas leave tables and SQL to the domain files", () => {
  const isOutside = (file: string) => /\.(?:routes|schema)\.ts$/.test(file);
  expect(breaches((file, name) => isOutside(file) && /^drizzle-orm|\.table\.ts$/.test(name))).toEqual([]);
});

test("the Worker imports neither the commands nor Node", () => {
  const isCommand = (file: string) => file.startsWith("cli/");
  expect(breaches((file, name) => !isCommand(file) && /^cli\/|^node:/.test(name))).toEqual([]);
});

test("no file passes on another's exports, but for the Worker's entry", () => {
  const passesOn = (file: string) => /^export\s[^;"]*\sfrom\s"/m.test(source.get(file) ?? "");
  expect(files.filter((file) => passesOn(file) && file !== "index.ts")).toEqual([]);
});

test("a start evaluates what redirects need, and nothing that only another surface does", () => {
  const evaluated = new Set(["index.ts"]);
  for (const file of evaluated) for (const next of evaluatedBefore(file)) evaluated.add(next);
  const rooms = /^(?:app|env|index)\.ts$|^(?:core|counting|redirect)\//;
  expect([...evaluated].filter((file) => !rooms.test(file)).sort()).toEqual([
    "analytics/scan.ts",
    "bowser",
    "cloudflare:workers",
    "isbot",
    "limits/limiter.ts",
    "limits/token-bucket.ts",
    "links/code.ts",
    "links/rules.ts",
    "webhooks/health.ts",
  ]);
});

test("no file imports itself by way of others", () => {
  const reaches = (start: string) => {
    const reached = new Set(imports.get(start));
    for (const file of reached) for (const next of imports.get(file) ?? []) reached.add(next);
    return reached;
  };
  expect(files.filter((file) => reaches(file).has(file))).toEqual([]);
});
