import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "./state.ts";
import { formatOutlines } from "./woff-outlines.ts";

const FONT = "node_modules/@fontsource/inter/files";
const SUBSETS = ["latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek"];
export const FONT_FILE = "src/qr/font-outlines.ts";

/** Returns the content of the file with the outlines. */
export function generateFont(): string {
  const files = SUBSETS.map((subset) => readFileSync(join(PROJECT, FONT, `inter-${subset}-600-normal.woff`)));
  return `// Pure: no I/O, clock or randomness.
// Written by \`npm run font\` from @fontsource/inter: outlines of Inter SemiBold.
// Copyright 2016 The Inter Project Authors (https://github.com/rsms/inter).
// SIL Open Font License 1.1: https://openfontlicense.org
export const FONT_OUTLINES = \`${formatOutlines(files)}\`;
`;
}
