import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FONT_FILE, generateFont } from "./font.ts";
import { PROJECT } from "./state.ts";

// Entry point of `npm run font`. Writes the outlines of the font in which frames and captions are drawn.
writeFileSync(join(PROJECT, FONT_FILE), generateFont());
console.log(`wrote ${FONT_FILE}`);
