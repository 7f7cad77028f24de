import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildOptions, Metafile, Plugin } from "esbuild";
import { COUNTRY_CODES } from "../routing/countries.ts";

/** Plugins of esbuild that decide which file of the bundled dashboard contains what. */

/** Folders with style sheets of components. Later ones override earlier ones. */
const STYLE_FOLDERS = ["components", "reports", "shell", "screens"];

/**
 * Number of screens from which a module is loaded with the frame. Fewer, larger files compress better, but the first
 * screen then loads modules that it doesn't use.
 */
const SHARED_BY_SCREENS = 9;

/** Script and rules of a component's style sheet. */
interface CompiledStyle {
  /** Module whose default export maps the names of classes to the short names in the rules. */
  script: string;
  rules: string;
  /** Position in the cascade. */
  position: number;
}

/**
 * Creates the plugin that makes a component's style sheet part of its script, so that a screen loads only the rules it
 * needs, together with its code. All style sheets are compiled at once, so that no two classes get the same short name.
 */
export async function createStylePlugin(source: string, options: BuildOptions): Promise<Plugin> {
  const { build } = await import("esbuild");
  const files = STYLE_FOLDERS.flatMap((folder) =>
    globSync(`${folder}/**/*.module.css`, { cwd: source }).sort(),
  );
  const { outputFiles } = await build({
    ...options,
    write: false,
    format: "esm",
    entryPoints: files.map((file) => ({ in: `names-of:${file}`, out: file })),
    entryNames: "[dir]/[name]",
    plugins: [createNamesPlugin(source)],
  });
  const find = (name: string) => outputFiles.find(({ path }) => path.endsWith(`/${name}`))?.text ?? "";
  const styles = new Map<string, CompiledStyle>(
    files.map((file, position) => [
      join(source, file),
      { script: find(`${file}.js`), rules: find(`${file}.css`).trim(), position },
    ]),
  );
  return {
    name: "styles",
    setup({ onLoad }) {
      onLoad({ filter: /\.module\.css$/ }, ({ path }) => {
        const { script, rules, position } = styles.get(path) as CompiledStyle;
        const adopt = `import { adoptStyle } from "./styles/adopt-style.ts";
adoptStyle(${position}, ${JSON.stringify(rules)});`;
        return { contents: `${adopt}\n${script}`, loader: "js", resolveDir: source };
      });
    },
  };
}

/** Content of an SVG file of circle-flags, inside the mask that makes it a circle. */
const FLAG = /<g mask="url\(#a\)">(.*)<\/g><\/svg>\s*$/s;

/** Reads the drawing of each country's flag from the package circle-flags. Throws if one is missing. */
export function readFlagDrawings(): Record<string, string> {
  const folder = join(import.meta.dirname, "../../node_modules/circle-flags/flags");
  const read = (code: string) =>
    FLAG.exec(readFileSync(join(folder, `${code.toLowerCase()}.svg`), "utf8"))?.[1];
  return Object.fromEntries(
    [...COUNTRY_CODES].map((code) => {
      const drawing = read(code);
      if (drawing === undefined) throw new Error(`the flag of ${code} has another form than expected`);
      return [code, drawing];
    }),
  );
}

/** Creates the plugin that fills `flag-drawings.ts`. */
export function createFlagsPlugin(): Plugin {
  return {
    name: "flags",
    setup({ onLoad }) {
      onLoad({ filter: /[/\\]flag-drawings\.ts$/ }, () => ({
        contents: `export const FLAG_DRAWINGS = ${JSON.stringify(readFlagDrawings())};`,
        loader: "js",
      }));
    },
  };
}

/** Creates the plugin for `names-of:` and a style sheet, which is a module with the names of its classes. */
function createNamesPlugin(source: string): Plugin {
  return {
    name: "names",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^names-of:/ }, ({ path }) => ({
        path: path.slice("names-of:".length),
        namespace: "names",
      }));
      onLoad({ filter: /./, namespace: "names" }, ({ path }) => ({
        contents: `export { default } from "./${path}";`,
        resolveDir: source,
      }));
    },
  };
}

/**
 * Creates the plugin that puts modules of most screens into the frame's file, from the outputs of a build without it.
 * Without it, esbuild writes a file for each set of screens that share modules.
 */
export function createSharingPlugin(project: string, outputs: Metafile["outputs"], app: string): Plugin {
  const entries = Object.values(outputs).flatMap(({ entryPoint = "" }) =>
    entryPoint.endsWith(".css") ? [] : [entryPoint],
  );
  const uses = new Map<string, number>();
  const addUses = (entry: string, weight: number) => {
    for (const file of listInputs(outputs, entry)) uses.set(file, (uses.get(file) ?? 0) + weight);
  };
  addUses(app, SHARED_BY_SCREENS);
  for (const entry of entries) if (entry.endsWith("-screen.tsx")) addUses(entry, 1);
  const shared = [...uses]
    .filter(([file, count]) => count >= SHARED_BY_SCREENS && !entries.includes(file))
    // Packages are imported by the shared modules themselves.
    .filter(([file]) => !file.startsWith("node_modules/"))
    .map(([file]) => `import "./${file}";`);
  const entryPaths = new Set(entries.map((entry) => join(project, entry)));
  return {
    name: "sharing",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^shared-modules$/ }, ({ path }) => ({ path, namespace: "sharing" }));
      onLoad({ filter: /./, namespace: "sharing" }, () => ({
        contents: shared.join("\n"),
        resolveDir: project,
      }));
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        if (!entryPaths.has(path)) return null;
        const contents = `import "shared-modules";\n${readFileSync(path, "utf8")}`;
        return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}

/** Lists the sources that an entry point loads with its static imports. */
function listInputs(outputs: Metafile["outputs"], entryPoint: string): Set<string> {
  const first = Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === entryPoint);
  const reached = new Set(first);
  for (const name of reached) {
    for (const { path, kind } of outputs[name]?.imports ?? [])
      if (kind === "import-statement") reached.add(path);
  }
  return new Set([...reached].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {})));
}
