import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { BuildOptions, Metafile } from "esbuild";
import { hash, isUnchanged, recordBuild, writeWhole } from "./build-record.ts";
import { collectLicences } from "./bundle-licences.ts";
import { createFlagsPlugin, createSharingPlugin, createStylePlugin } from "./dashboard-plugins.ts";
import { buildFont } from "./font.ts";
import { PROJECT } from "./state.ts";

/** Bundles `src/dashboard` into files that the Worker imports as text modules. */

const SOURCE = join(PROJECT, "src/dashboard");
const OUTPUT = join(PROJECT, "dist/dashboard");
/** File extension that wrangler.toml declares for text modules. */
const TEXT_MODULE = ".client.txt";
const MANIFEST = "files.js";
/** File with the hashes of all files that the last build read or wrote. */
const RECORD = join(PROJECT, "node_modules/.cache/signpost/dashboard.json");
/** Files other than the sources that affect the bundle. */
const SETTINGS = [
  "package-lock.json",
  "src/cli/dashboard-bundle.ts",
  "src/cli/dashboard-plugins.ts",
  "src/cli/bundle-licences.ts",
  "src/cli/font.ts",
  "src/cli/woff-outlines.ts",
  "src/dashboard/tsconfig.json",
];
/** Oldest browsers that support popovers, `light-dark()` and nested style rules. */
const TARGETS = ["chrome123", "firefox125", "safari17.5"];

const ENTRIES = {
  app: "main.tsx",
  style: "styles/style.css",
  theme: "theme-script.ts",
  signIn: "sign-in-script.ts",
};

/** File names of the entry points, and the scripts that `app` imports statically. */
export interface DashboardEntries {
  app: string;
  style: string;
  theme: string;
  signIn: string;
  preloads: string[];
  /** File with the licences of the bundled packages. */
  licences: string;
}

/** File of the bundled dashboard. */
export interface BundledFile {
  name: string;
  text: string;
  /** Strong ETag: the quoted hash of the text. */
  etag: string;
}

const COMMON = {
  outdir: OUTPUT,
  absWorkingDir: PROJECT,
  tsconfig: join(SOURCE, "tsconfig.json"),
  bundle: true,
  minify: true,
  charset: "utf8",
  target: TARGETS,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  legalComments: "none",
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

/** Bundled dashboard, with the paths of its sources relative to the project. */
interface DashboardBundle {
  entries: DashboardEntries;
  files: BundledFile[];
  sources: string[];
}

/** Bundles the dashboard and returns its files. Throws if bundling fails. */
export async function bundleDashboard(): Promise<DashboardBundle> {
  buildFont();
  const { build } = await import("esbuild");
  const { theme, signIn, ...modules } = ENTRIES;
  const styles = await createStylePlugin(SOURCE, COMMON);
  const flags = createFlagsPlugin();
  const split = { ...COMMON, entryPoints: listEntryPoints(modules), format: "esm", splitting: true } as const;
  const { metafile } = await build({ ...split, minify: false, plugins: [styles, flags] });
  const sharing = createSharingPlugin(PROJECT, metafile.outputs, `src/dashboard/${ENTRIES.app}`);
  const results = await Promise.all([
    build({ ...split, plugins: [styles, flags, sharing] }),
    // The theme script blocks rendering, so it can't be a module.
    build({ ...COMMON, entryPoints: listEntryPoints({ theme, signIn }), format: "iife" }),
  ]);
  // Modules that a plugin makes have a colon in their name, and no file.
  const sources = results
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .filter((path) => !path.includes(":"));
  const licences = collectLicences(sources);
  const licencesName = `licences-${hash(licences)}.txt`;
  const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs));
  const entries = findEntries(outputs);
  const texts = results.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, text }) => ({ name: basename(path), text })),
  );
  const files = [...texts, { name: licencesName, text: licences }]
    .map(({ name, text }) => ({ name, text, etag: `"${hash(text)}"` }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries: { ...entries, licences: licencesName }, files, sources };
}

function listEntryPoints(entries: Record<string, string>): { out: string; in: string }[] {
  return Object.entries(entries).map(([out, file]) => ({ out, in: join(SOURCE, file) }));
}

function findEntries(outputs: Metafile["outputs"]): Omit<DashboardEntries, "licences"> {
  const find = (source: string) => {
    const found = Object.entries(outputs).find(
      ([, { entryPoint }]) => entryPoint === `src/dashboard/${source}`,
    );
    if (found === undefined) throw new Error(`${source} is not in the bundle`);
    return found;
  };
  const [app, { imports }] = find(ENTRIES.app);
  return {
    app: basename(app),
    style: basename(find(ENTRIES.style)[0]),
    theme: basename(find(ENTRIES.theme)[0]),
    signIn: basename(find(ENTRIES.signIn)[0]),
    preloads: imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path)),
  };
}

/**
 * Bundles the dashboard into {@link OUTPUT}, unless no file has changed since the last build. Builds may
 * run in parallel: they write the same files, and each file appears in one step.
 */
export async function buildDashboard(): Promise<void> {
  if (isUnchanged(RECORD)) return;
  const { entries, files, sources } = await bundleDashboard();
  mkdirSync(OUTPUT, { recursive: true });
  for (const { name, text } of files) writeWhole(join(OUTPUT, name + TEXT_MODULE), text);
  writeWhole(join(OUTPUT, MANIFEST), formatManifest(entries, files));
  const current = new Set([MANIFEST, ...files.map(({ name }) => name + TEXT_MODULE)]);
  for (const name of readdirSync(OUTPUT)) {
    if (!current.has(name) && !name.endsWith(".part")) rmSync(join(OUTPUT, name), { force: true });
  }
  const outputs = [...current].map((name) => relative(PROJECT, join(OUTPUT, name)));
  recordBuild(RECORD, [...SETTINGS, ...sources, ...outputs]);
}

/** Formats the module that the Worker imports. The module loads each file only when its `load` is called. */
function formatManifest(entries: DashboardEntries, files: readonly BundledFile[]): string {
  const lines = files.map(({ name, etag }) => {
    const load = `() => import(${JSON.stringify(`./${name}${TEXT_MODULE}`)})`;
    return `  ${JSON.stringify(name)}: { etag: ${JSON.stringify(etag)}, load: ${load} },\n`;
  });
  return `export const entries = ${JSON.stringify(entries)};\nexport const files = {\n${lines.join("")}};\n`;
}
