import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PROJECT = join(import.meta.dirname, "../..");

/** Matches the path of a package's file. Captures the package's folder and name. */
const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/** Files with the content of a package: name of the package, and its licence. */
const REPLACED: Readonly<Record<string, [name: string, licence: string]>> = {
  "src/dashboard/components/flag-drawings.ts": ["circle-flags", "node_modules/circle-flags/LICENSE.md"],
  "dist/font/outlines.js": ["@fontsource/inter", "node_modules/@fontsource/inter/LICENSE"],
};

/**
 * Returns the licence texts of all packages in a bundle. The licences require that copies of the code
 * include them. `inputs` are the paths of the bundled files, relative to the project. Throws if a package
 * has no licence file.
 */
export function collectLicences(inputs: readonly string[]): string {
  const packages = new Map(
    inputs.flatMap((path): [string, string][] => {
      const [, folder, name] = PACKAGE.exec(path) ?? [];
      if (folder !== undefined && name !== undefined) return [[name, findLicence(name, folder)]];
      const replaced = REPLACED[path];
      return replaced === undefined ? [] : [replaced];
    }),
  );
  const sections = [...packages]
    .sort()
    .map(([name, file]) => `${name}\n\n${readFileSync(join(PROJECT, file), "utf8").trim()}\n`);
  return sections.join(`\n${"-".repeat(80)}\n\n`);
}

function findLicence(name: string, folder: string): string {
  const file = readdirSync(join(PROJECT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence`);
  return join(folder, file);
}
