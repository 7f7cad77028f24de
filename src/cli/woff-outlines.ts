import { inflateSync } from "node:zlib";

/** Reads glyph outlines from WOFF files (W3C WOFF 1.0) with TrueType outlines (OpenType 1.9: cmap, glyf, hmtx, loca). */

interface Point {
  x: number;
  y: number;
  isOnCurve: boolean;
}

/** Outline at a position. Letters with accents share the outlines of the letter and of the accent. */
interface Part {
  /** Closed subpaths, relative, as in the path data of SVG, with y downwards from the baseline. */
  path: string;
  x: number;
  y: number;
}

/** Glyph of a character. Measures are in thousandths of the font size. */
interface Glyph {
  advance: number;
  parts: Part[];
}

const HEADER_BYTES = 44;
const TABLE_BYTES = 20;
/** Bits of a simple glyph's flags. */
const ON_CURVE = 1;
const [X_SHORT, Y_SHORT] = [2, 4];
const REPEAT = 8;
const [X_SAME, Y_SAME] = [16, 32];
/** Bits of a composite glyph's component flags. */
const WORDS = 1;
const OFFSETS = 2;
const MORE_COMPONENTS = 32;
/** Flags of components that are scaled, which no supported font has. */
const SCALED = 8 | 64 | 128;

/** Characters that texts may contain: letters, digits and punctuation, but no combining marks or control characters. */
const CHARACTERS = [
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1eff],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x20a0, 0x20c0],
  [0x2116, 0x2116],
  [0x2122, 0x2122],
  [0x2191, 0x2193],
  [0x2212, 0x2212],
] as const;
const MARK = /\p{M}/u;

/**
 * Formats the glyphs of font files as text: a line for each distinct outline, an empty line, and a line for each
 * character with its code in base 36, its advance, and the number and position of its outlines.
 */
export function formatOutlines(files: readonly Uint8Array[]): string {
  const outlines = new Map<string, number>();
  const lines = new Map<number, string>();
  for (const [code, { advance, parts }] of files.flatMap((file) => [...readGlyphs(file)])) {
    const isWanted = CHARACTERS.some(([first, last]) => code >= first && code <= last);
    if (!isWanted || lines.has(code) || MARK.test(String.fromCodePoint(code))) continue;
    const references = parts.map(({ path, x, y }) => {
      const index = outlines.get(path) ?? outlines.size;
      outlines.set(path, index);
      return x === 0 && y === 0 ? `${index}` : `${index},${x},${y}`;
    });
    lines.set(code, [code.toString(36), advance, ...references].join(" "));
  }
  return `${[...outlines.keys()].join("\n")}\n\n${[...lines.values()].join("\n")}`;
}

/** Reads the glyphs of all characters in a font file. */
function readGlyphs(woff: Uint8Array): Map<number, Glyph> {
  const tables = readTables(woff);
  const font = openFont(tables);
  return new Map(
    [...readCharacterMap(tables("cmap"))].map(([character, glyph]) => [
      character,
      { advance: font.getAdvance(glyph), parts: font.drawGlyph(glyph) },
    ]),
  );
}

type FindTable = (tag: string) => DataView;

function readTables(woff: Uint8Array): FindTable {
  const view = toView(woff);
  return (tag) => {
    for (let i = 0; i < view.getUint16(12); i++) {
      const entry = HEADER_BYTES + i * TABLE_BYTES;
      if (String.fromCharCode(...woff.subarray(entry, entry + 4)) !== tag) continue;
      const [offset, length, original] = [4, 8, 12].map((at) => view.getUint32(entry + at)) as [
        number,
        number,
        number,
      ];
      const bytes = woff.subarray(offset, offset + length);
      return toView(length < original ? inflateSync(bytes) : bytes);
    }
    throw new Error(`the font has no table ${tag}`);
  };
}

function toView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Maps characters to glyphs, by the segments of a subtable of format 4. */
function readCharacterMap(cmap: DataView): Map<number, number> {
  const starts = Array.from({ length: cmap.getUint16(2) }, (_, i) => cmap.getUint32(8 + i * 8));
  const table = starts.find((start) => cmap.getUint16(start) === 4);
  if (table === undefined) throw new Error("the font has no character map of format 4");
  const size = cmap.getUint16(table + 6);
  const field = (part: number, segment: number) =>
    table + 14 + part * size + (part > 0 ? 2 : 0) + segment * 2;
  const glyphs = new Map<number, number>();
  for (let segment = 0; segment < size / 2; segment++) {
    const [end, start] = [cmap.getUint16(field(0, segment)), cmap.getUint16(field(1, segment))];
    const delta = cmap.getInt16(field(2, segment));
    const range = cmap.getUint16(field(3, segment));
    for (let character = start; character <= end && character !== 0xffff; character++) {
      const direct = field(3, segment) + range + (character - start) * 2;
      const raw = range === 0 ? character : cmap.getUint16(direct);
      if (raw !== 0) glyphs.set(character, (raw + delta) & 0xffff);
    }
  }
  return glyphs;
}

function openFont(find: FindTable) {
  const [head, hmtx, loca, glyf] = ["head", "hmtx", "loca", "glyf"].map(find) as [
    DataView,
    DataView,
    DataView,
    DataView,
  ];
  const scale = 1_000 / head.getUint16(18);
  const isLong = head.getInt16(50) === 1;
  const metrics = find("hhea").getUint16(34);
  const locate = (glyph: number) => (isLong ? loca.getUint32(glyph * 4) : loca.getUint16(glyph * 2) * 2);

  function drawGlyph(glyph: number): Part[] {
    const start = locate(glyph);
    if (start === locate(glyph + 1)) return [];
    const count = glyf.getInt16(start);
    if (count < 0) return drawComponents(start + 10);
    const contours = readSimpleGlyph(glyf, start + 10, count);
    return [{ path: contours.map((contour) => drawContour(contour, scale)).join(""), x: 0, y: 0 }];
  }

  function drawComponents(start: number): Part[] {
    const parts: Part[] = [];
    for (let at = start; ; ) {
      const flags = glyf.getUint16(at);
      if ((flags & SCALED) !== 0 || (flags & OFFSETS) === 0) throw new Error("a component is scaled");
      const isWord = (flags & WORDS) !== 0;
      const [dx, dy] = isWord
        ? [glyf.getInt16(at + 4), glyf.getInt16(at + 6)]
        : [glyf.getInt8(at + 4), glyf.getInt8(at + 5)];
      for (const { path, x, y } of drawGlyph(glyf.getUint16(at + 2)))
        parts.push({ path, x: x + Math.round(dx * scale), y: y - Math.round(dy * scale) });
      at += isWord ? 8 : 6;
      if ((flags & MORE_COMPONENTS) === 0) return parts;
    }
  }

  return {
    getAdvance: (glyph: number) => Math.round(hmtx.getUint16(Math.min(glyph, metrics - 1) * 4) * scale),
    drawGlyph,
  };
}

function readSimpleGlyph(glyf: DataView, start: number, count: number): Point[][] {
  const ends = Array.from({ length: count }, (_, i) => glyf.getUint16(start + i * 2));
  const points = (ends.at(-1) ?? -1) + 1;
  let at = start + count * 2;
  at += 2 + glyf.getUint16(at);
  const flags: number[] = [];
  while (flags.length < points) {
    const flag = glyf.getUint8(at++);
    const times = flag & REPEAT ? glyf.getUint8(at++) : 0;
    for (let i = 0; i <= times; i++) flags.push(flag);
  }
  const readCoordinates = (short: number, same: number) => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? glyf.getUint8(at++) : -glyf.getUint8(at++);
      else if ((flag & same) === 0) {
        value += glyf.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = readCoordinates(X_SHORT, X_SAME);
  const ys = readCoordinates(Y_SHORT, Y_SAME);
  return ends.map((end, i) => {
    const first = i === 0 ? 0 : (ends[i - 1] as number) + 1;
    return flags.slice(first, end + 1).map((flag, index) => ({
      x: xs[first + index] as number,
      y: ys[first + index] as number,
      isOnCurve: (flag & ON_CURVE) !== 0,
    }));
  });
}

/** Draws a contour. Between two control points lies an implied point on the curve. */
function drawContour(contour: readonly Point[], scale: number): string {
  const points = contour.map((point) => ({
    ...point,
    x: Math.round(point.x * scale),
    y: Math.round(-point.y * scale),
  }));
  const first = points.findIndex(({ isOnCurve }) => isOnCurve);
  if (first === -1) throw new Error("a contour has no point on its curve");
  let [x, y] = [points[first]?.x ?? 0, points[first]?.y ?? 0];
  let path = `M${x} ${y}`;
  let control: Point | null = null;
  const drawTo = (toX: number, toY: number) => {
    path += control === null ? "l" : `q${control.x - x} ${control.y - y} `;
    path += `${toX - x} ${toY - y}`;
    [x, y] = [toX, toY];
  };
  for (const point of [...points.slice(first + 1), ...points.slice(0, first + 1)]) {
    if (point.isOnCurve) {
      drawTo(point.x, point.y);
      control = null;
      continue;
    }
    if (control !== null)
      drawTo(Math.round((control.x + point.x) / 2), Math.round((control.y + point.y) / 2));
    control = point;
  }
  return `${path}z`.replaceAll(" -", "-");
}
