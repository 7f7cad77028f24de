import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { writeLinksFileSchema } from "../openapi/links-file-document.ts";
import { collectLicences } from "./bundle-licences.ts";
import { buildFont } from "./font.ts";

/**
 * Entry point of `npm pack` in `src/client`: builds the package's modules and types, writes the JSON
 * schema of links files, bundles the `signpost` command with its dependencies, and adds their licences.
 */

const PROJECT = join(import.meta.dirname, "../..");
const PACKAGE = join(PROJECT, "src/client");
const OUTPUT = join(PACKAGE, "dist");

rmSync(OUTPUT, { recursive: true, force: true });
buildFont();
execFileSync(process.execPath, [join(PROJECT, "node_modules/typescript/bin/tsc"), "-p", PACKAGE], {
  stdio: "inherit",
});
copyFileSync(join(PACKAGE, "schema.d.ts"), join(OUTPUT, "schema.d.ts"));
copyFileSync(join(PROJECT, "LICENSE"), join(PACKAGE, "LICENSE"));
for (const name of globSync("*.d.ts", { cwd: OUTPUT })) {
  const file = join(OUTPUT, name);
  // The compiler rewrites `.ts` imports in modules, but not in type declarations. Users' compilers wouldn't
  // find these files, because the package doesn't contain them.
  writeFileSync(file, readFileSync(file, "utf8").replace(/from "(\.\/[^"]+?)(?:\.d)?\.ts"/g, 'from "$1.js"'));
}
writeFileSync(join(OUTPUT, "links.schema.json"), `${JSON.stringify(writeLinksFileSchema(), null, 2)}\n`);

// Only the package's modules have a dependency to install. The command is bundled with all its dependencies.
const { metafile } = await build({
  entryPoints: [join(PACKAGE, "cli/signpost.ts")],
  outfile: join(OUTPUT, "cli.js"),
  absWorkingDir: PROJECT,
  bundle: true,
  platform: "node",
  // The entry of `yaml` for Node is CommonJS and would need `require`.
  alias: { yaml: join(PROJECT, "node_modules/yaml/browser/index.js") },
  target: "node20",
  format: "esm",
  charset: "utf8",
  minifySyntax: true,
  legalComments: "none",
  metafile: true,
});
writeFileSync(join(OUTPUT, "cli-licences.txt"), collectLicences(Object.keys(metafile.inputs)));
