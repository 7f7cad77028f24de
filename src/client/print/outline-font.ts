// Pure: no I/O, clock or randomness.
import { toBytes } from "../../qr/bytes.ts";
import { type Font, measureText } from "../../qr/font.ts";
import { formatPath, type Path } from "../../qr/path.ts";
import type { PdfObject } from "../../qr/pdf-file.ts";

/** Characters of a font. */
const CODES_MAX = 256;
/** First character of a font. Its name lets poppler estimate the size of the letters, and so the words of a text. */
const SCALE_CHARACTER = "n";

/**
 * Fonts of a PDF that draw the outlines of `qr/font.ts` (Type 3 fonts, ISO 32000-1 section 9.6.5), for captions with
 * characters that Helvetica doesn't have. Programs can search and copy the text, because the fonts map it to Unicode.
 */
export class OutlineFonts {
  readonly #font: Font;
  /** Used characters. Each font has {@link CODES_MAX} of them. */
  readonly #characters = [SCALE_CHARACTER];
  readonly #indexes = new Map([[SCALE_CHARACTER, 0]]);

  constructor(font: Font) {
    this.#font = font;
  }

  /** Measures a text in thousandths of the font size. */
  measure(text: string): number {
    return measureText(text, this.#font);
  }

  /** Returns the operators that show a text in a font size. */
  show(text: string, size: string): string {
    let shown = "";
    let last = -1;
    for (const character of text.normalize("NFC")) {
      const index = this.#findIndex(character);
      const number = Math.floor(index / CODES_MAX);
      if (number !== last) shown += `${shown === "" ? "" : "> Tj\n"}/O${number} ${size} Tf\n<`;
      last = number;
      shown += formatCode(index % CODES_MAX, 2);
    }
    return `${shown}> Tj\n`;
  }

  #findIndex(character: string): number {
    let index = this.#indexes.get(character);
    if (index === undefined) {
      index = this.#characters.push(character) - 1;
      this.#indexes.set(character, index);
    }
    return index;
  }

  /** Returns the entries of the fonts in a resource dictionary, and their objects, numbered from `first`. */
  build(first: number): { entries: string; objects: PdfObject[] } {
    const objects: PdfObject[] = [];
    const add = (object: PdfObject) => first + objects.push(object) - 1;
    let entries = "";
    for (let start = 0; start < this.#characters.length; start += CODES_MAX) {
      const characters = this.#characters.slice(start, start + CODES_MAX);
      const glyphs = characters.map((character) => add(this.#drawGlyph(character)));
      const names = characters.map((character, code) => (character === SCALE_CHARACTER ? "n" : `g${code}`));
      const procedures = glyphs.map((number, code) => `/${names[code]} ${number} 0 R`).join(" ");
      const unicode = add({ entries: "", stream: toBytes(mapToUnicode(characters)) });
      const font = add({
        entries:
          "/Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [0.001 0 0 0.001 0 0] /Resources << >> " +
          `/CharProcs << ${procedures} >> /Encoding << /Type /Encoding /Differences [0 /${names.join(" /")}] >> ` +
          `/FirstChar 0 /LastChar ${characters.length - 1} ` +
          `/Widths [${characters.map((character) => this.measure(character)).join(" ")}] /ToUnicode ${unicode} 0 R`,
      });
      entries += `/O${start / CODES_MAX} ${font} 0 R `;
    }
    return { entries, objects };
  }

  /** Draws a glyph with `d1`, so that it has the colour of the text (section 9.6.5.2). */
  #drawGlyph(character: string): PdfObject {
    const { advance = 0, outline = [] } = this.#font.find(character) ?? {};
    const path = outline.map((segment): Path[number] =>
      segment[0] === "Q"
        ? ["Q", segment[1], -segment[2], segment[3], -segment[4]]
        : [segment[0], segment[1], -segment[2]],
    );
    const numbers = path.map((segment) => segment.slice(1) as number[]);
    const xs = [0, ...numbers.flatMap(([x = 0, , toX = x]) => [x, toX])];
    const ys = [0, ...numbers.flatMap(([, y = 0, , toY = y]) => [y, toY])];
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    const fill = path.length === 0 ? "" : `${formatPath(path, "pdf")}f\n`;
    return { entries: "", stream: toBytes(`${advance} 0 ${box.join(" ")} d1\n${fill}`) };
  }
}

/** Builds a CMap that maps the codes of a font to Unicode (section 9.10.3). A block has at most 100 codes. */
function mapToUnicode(characters: readonly string[]): string {
  const lines = characters.map(
    (character, code) => `<${formatCode(code, 2)}> <${formatCode(character.charCodeAt(0), 4)}>\n`,
  );
  let blocks = "";
  for (let start = 0; start < lines.length; start += 100) {
    const block = lines.slice(start, start + 100);
    blocks += `${block.length} beginbfchar\n${block.join("")}endbfchar\n`;
  }
  return (
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
    "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n" +
    "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
    `1 begincodespacerange\n<00> <FF>\nendcodespacerange\n${blocks}` +
    "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
  );
}

function formatCode(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
