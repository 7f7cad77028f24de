import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PROJECT = join(import.meta.dirname, "../..");

/** Matches the path of a package's file. Captures the package's folder and name. */
const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/**
 * Returns the licence texts of all packages in a bundle. The licences require that copies of the code
 * include them. `inputs` are the paths of the bundled files, relative to the project. Throws if a package
 * has no licence file.
 */
export function collectLicences(inputs: readonly string[]): string {
  const packages = new Map(
    inputs.flatMap((path): [string, string][] => {
      const [, folder, name] = PACKAGE.exec(path) ?? [];
      return folder === undefined || name === undefined ? [] : [[name, join(PROJECT, folder)]];
    }),
  );
  const sections = [...packages].sort().map(([name, folder]) => {
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence`);
    return `${name}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  return sections.join(`\n${"-".repeat(80)}\n\n`);
}
