import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeWhole } from "./build-record.ts";
import { PROJECT } from "./state.ts";
import { formatOutlines } from "./woff-outlines.ts";

const FONT = "node_modules/@fontsource/inter/files";
const SUBSETS = ["latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek"];
const OUTPUT = "dist/font/outlines.js";

/** Writes the module with the outlines of Inter SemiBold, which `qr/font.ts` imports. */
export function buildFont(): void {
  const files = SUBSETS.map((subset) => readFileSync(join(PROJECT, FONT, `inter-${subset}-600-normal.woff`)));
  const file = join(PROJECT, OUTPUT);
  mkdirSync(dirname(file), { recursive: true });
  writeWhole(file, `export const FONT_OUTLINES = \`${formatOutlines(files)}\`;\n`);
}
