import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

/** Classes of the dashboard: TypeScript doesn't check their names, and nothing else finds unused ones. */

const FOLDER = "src/dashboard";
const read = (path: string) => readFileSync(path, "utf8");

/** Returns the selectors of a style sheet, without the global classes in them. */
function readSelectors(path: string): string {
  const text = read(path).replace(/\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"|:global\([^)]*\)/g, "");
  return [...text.matchAll(/[^{};]+(?=\{)/g)]
    .map(String)
    .filter((text) => !/^\s*@/.test(text))
    .join("\n");
}

function listClasses(path: string): string[] {
  return [...new Set([...readSelectors(path).matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = ""]) => name))];
}

const modules = globSync(`${FOLDER}/**/*.module.css`);
const scripts = globSync(`${FOLDER}/**/*.{ts,tsx}`).map((path) => ({ path, text: read(path) }));

/** Lists the uses of a module's classes as `{file} {class}`. */
const uses = scripts.flatMap(({ path, text }) =>
  [...text.matchAll(/^import (\w+) from "([^"]+\.module\.css)";/gm)].flatMap(([, alias = "", from = ""]) => {
    const file = relative("", join(dirname(path), from));
    const names = [...text.matchAll(new RegExp(`\\b${alias}(\\.\\w+|\\[)`, "g"))].map(
      ([, name = ""]) => name,
    );
    return names.map((name) => `${file} ${name.replace(".", "")}`);
  }),
);

describe("the classes of the dashboard", () => {
  test("are defined in the style sheet they are used from, and all of them are used", () => {
    const defined = modules.flatMap((file) => listClasses(file).map((name) => `${file} ${name}`));
    expect(defined.length).toBeGreaterThan(200);
    expect([...new Set(uses)].sort()).toEqual(defined.sort());
  });

  test("are only written as text if every style sheet can use them", () => {
    const shared = new Set(listClasses(`${FOLDER}/styles/base.css`));
    const literals = scripts.flatMap(({ path, text }) =>
      [...text.matchAll(/\bclass=(?:"([^"]*)"|\{`([^`]*)`\}|\{joinClasses\(([\s\S]*?)\)\})/g)].flatMap(
        ([, plain = "", template = "", joined = ""]) =>
          [
            plain,
            template.replace(/\$\{[^}]*\}/g, " "),
            ...[...joined.matchAll(/"([^"]*)"/g)].map(([, name]) => name),
          ]
            .join(" ")
            .split(/\s+/)
            .filter((name) => name !== "" && !shared.has(name))
            .map((name) => `${name} in ${path}`),
      ),
    );
    expect(literals).toEqual([]);
    const globals = modules.flatMap((file) =>
      [...read(file).matchAll(/:global\(\.([\w-]+)\)/g)].map(([, name = ""]) => name),
    );
    expect(globals.filter((name) => !shared.has(name) && !/^u-|^uplot$/.test(name))).toEqual([]);
  });

  test("don't reach into other components, which offer `data-ui` for this", () => {
    const offered = new Set(
      scripts.flatMap(({ text }) => [...text.matchAll(/data-ui="([\w-]+)"/g)].map(([, name = ""]) => name)),
    );
    const needed = modules.flatMap((file) =>
      [...read(file).matchAll(/\[data-ui="([\w-]+)"\]/g)].map(([, name = ""]) => name),
    );
    expect(needed.length).toBeGreaterThan(20);
    expect(needed.filter((name) => !offered.has(name))).toEqual([]);
  });
});
