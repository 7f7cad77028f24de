import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PROJECT = join(import.meta.dirname, "../..");

/** Path of a file of a package, with the folder of the package and its name. */
const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/**
 * Collects the licences of all packages that a bundle contains, as these ask for. `inputs` are the bundled files by their
 * paths from the project. Throws if a package has none.
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
