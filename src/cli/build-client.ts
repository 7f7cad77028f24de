import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { writeLinksFileSchema } from "../openapi/links-file-document.ts";
import { collectLicences } from "./bundle-licences.ts";

/**
 * Entry point of `npm pack` in `src/client`: builds the package's modules and types, writes the schema of files with links,
 * bundles the command with all that it needs, and puts the licences beside them.
 */

const PROJECT = join(import.meta.dirname, "../..");
const PACKAGE = join(PROJECT, "src/client");
const OUTPUT = join(PACKAGE, "dist");

rmSync(OUTPUT, { recursive: true, force: true });
execFileSync(process.execPath, [join(PROJECT, "node_modules/typescript/bin/tsc"), "-p", PACKAGE], {
  stdio: "inherit",
});
copyFileSync(join(PACKAGE, "schema.d.ts"), join(OUTPUT, "schema.d.ts"));
copyFileSync(join(PROJECT, "LICENSE"), join(PACKAGE, "LICENSE"));
for (const name of globSync("*.d.ts", { cwd: OUTPUT })) {
  const file = join(OUTPUT, name);
  // The compiler rewrites the imports of modules only, and other compilers find no `.ts` there.
  writeFileSync(file, readFileSync(file, "utf8").replace(/from "(\.\/[^"]+?)(?:\.d)?\.ts"/g, 'from "$1.js"'));
}
writeFileSync(join(OUTPUT, "links.schema.json"), `${JSON.stringify(writeLinksFileSchema(), null, 2)}\n`);

// The modules keep one dependency. What only the command needs is in its bundle.
const { metafile } = await build({
  entryPoints: [join(PACKAGE, "cli/signpost.ts")],
  outfile: join(OUTPUT, "cli.js"),
  absWorkingDir: PROJECT,
  bundle: true,
  platform: "node",
  // Its entry for Node is no module, and would need `require`.
  alias: { yaml: join(PROJECT, "node_modules/yaml/browser/index.js") },
  target: "node20",
  format: "esm",
  charset: "utf8",
  minifySyntax: true,
  legalComments: "none",
  metafile: true,
});
writeFileSync(join(OUTPUT, "cli-licences.txt"), collectLicences(Object.keys(metafile.inputs)));
