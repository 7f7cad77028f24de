import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { inflateSync } from "node:zlib";
import { unzipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../src/client/cli/program.ts";
import { layOutSheet, SHEET_DEFAULTS, type SheetOptions } from "../../src/client/print/sheet-layout.ts";
import { type DesignInput, resolveDesign } from "../../src/qr/design.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { type Pixels, readPng } from "../support/png.ts";
import { hasPoppler, rasterizePdf, readPdfLines } from "./support/poppler.ts";
import { decodeWithZxing, listFailingDecoders } from "./support/qr-decoders.ts";

/** `signpost qr` with a CSV file, which needs no service. */

const testWithPoppler = test.skipIf(!hasPoppler("Sheets of QR codes"));
const PIXELS_PER_INCH = IS_LONG ? 300 : 200;
const PIXEL_MM = 25.4 / PIXELS_PER_INCH;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signpost-print-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function writeTable(folder: string, rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, index) => `https://go.example.com/t${index},Tisch ${index} für 4`,
  );
  const file = join(folder, "rows.csv");
  writeFileSync(file, ["short_url,title", ...lines, ""].join("\n"));
  return file;
}

/** Runs `signpost qr`, and returns its exit code and messages. */
async function print(...words: string[]) {
  let notes = "";
  const terminal = {
    write() {},
    note(text: string) {
      notes += text;
    },
    readInput: async () => new Uint8Array(),
    async *readLines() {},
    readSecret: async () => "",
    confirm: async () => false,
    onInterrupt: () => () => {},
    isOutputTerminal: false,
    isNoteTerminal: false,
    columns: 80,
  };
  return { code: await runCommand(["qr", ...words], terminal, {}, "0.0.0"), notes };
}

/** Cuts a rectangle out of a picture. Measures are in millimetres. */
function crop(page: Pixels, leftMm: number, topMm: number, widthMm: number, heightMm: number): Pixels {
  const [left, top, width, height] = [leftMm, topMm, widthMm, heightMm].map(toPixels) as [
    number,
    number,
    number,
    number,
  ];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    const start = ((top + y) * page.width + left) * 4;
    data.set(page.data.subarray(start, start + width * 4), y * width * 4);
  }
  return { width, height, data };
}

function toPixels(mm: number): number {
  return Math.round(mm / PIXEL_MM);
}

/** Returns the width and height of the dark area in millimetres. */
function measureDark({ data, width, height }: Pixels): [width: number, height: number] {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[(y * width + x) * 4] as number) > 128) continue;
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), y];
    }
  }
  const toMm = (pixels: number) => pixels * PIXEL_MM;
  return [toMm(right - left + 1), toMm(bottom - top + 1)];
}

testWithPoppler.each([
  ["24 codes on A4", [], SHEET_DEFAULTS],
  [
    "4 codes on Letter, 60 mm wide, with cut marks and a frame",
    [
      ...["--paper", "letter", "--rows", "2", "--columns", "2", "--mm", "60", "--cut-marks"],
      ...["--frame", "label-below", "--frame-text", "Сканируй"],
    ],
    { ...SHEET_DEFAULTS, paper: { widthMm: 215.9, heightMm: 279.4 }, rows: 2, columns: 2, codeMm: 60 },
    { frame: { style: "label-below" } },
  ],
  [
    "one code per label of a roll",
    ["--paper", "62x40", "--margin", "2"],
    { ...SHEET_DEFAULTS, paper: { widthMm: 62, heightMm: 40 }, rows: 1, columns: 1, marginMm: 2 },
  ],
] as [string, string[], SheetOptions, DesignInput?][])(
  "%s: every code decodes and has its millimetres, and every caption is text",
  async (_, options, sheet, design = {}) => {
    const folder = makeFolder();
    const perPage = sheet.rows * sheet.columns;
    const file = join(folder, "sheet.pdf");
    const captions = ["--caption", "{title}", "--caption", "№ {n} {url}"];
    const printed = await print(
      "--csv",
      writeTable(folder, perPage + 1),
      "--pdf",
      file,
      ...captions,
      ...options,
    );
    expect(printed).toEqual({ code: 0, notes: expect.stringContaining(`Saved ${perPage + 1} codes`) });
    const pdf = readFileSync(file);
    const page = rasterizePdf(pdf, PIXELS_PER_INCH);
    expect(page.width).toBeCloseTo(toPixels(sheet.paper.widthMm), -1);
    const { codeMm, cellWidthMm, cellHeightMm, codeTopMm, captionTopMm } = layOutSheet(sheet, [
      resolveDesign(design),
    ]);
    for (let index = 0; index < perPage; index++) {
      const left = sheet.marginMm + (index % sheet.columns) * cellWidthMm;
      const top = sheet.marginMm + Math.floor(index / sheet.columns) * cellHeightMm;
      // Without the cut marks at the corners of the cell.
      const cell = crop(page, left + 2, top, cellWidthMm - 4, captionTopMm);
      const content = `https://go.example.com/t${index}`;
      // The other decoder takes several times as long. The first and the last code suffice for it.
      if (index % (perPage - 1) === 0) expect(await listFailingDecoders(cell, content)).toEqual([]);
      else expect(await decodeWithZxing(cell)).toBe(content);
      const measured = measureDark(crop(page, left + 2, top + codeTopMm - 1, cellWidthMm - 4, codeMm + 2));
      for (const mm of measured) expect(Math.abs(mm - codeMm)).toBeLessThan(2 * PIXEL_MM);
    }
    const digits = String(perPage + 1).length;
    const expected = Array.from({ length: perPage + 1 }, (_, index) => [
      `Tisch ${index} für 4`,
      `№ ${String(index + 1).padStart(digits, "0")} go.example.com/t${index}`,
    ]);
    expect(readPdfLines(pdf)).toEqual(expected.flat());
    expect(pdf.toString("latin1")).toContain("/Count 2");
  },
);

test("sheets have only black ink and the colours of the design", async () => {
  const folder = makeFolder();
  const file = join(folder, "sheet.pdf");
  await print("--csv", writeTable(folder, 1), "--pdf", file, "--cut-marks");
  const text = readFileSync(file).toString("latin1");
  const [, length = ""] = /\/FlateDecode \/Length (\d+) >>\nstream\n/.exec(text) ?? [];
  const start = text.indexOf("stream\n") + 7;
  const drawn = inflateSync(Buffer.from(text.slice(start, start + Number(length)), "latin1")).toString();
  expect(new Set(drawn.match(/^[\d. ]+ k$/gim))).toEqual(new Set(["0 0 0 0 k", "0 0 0 1 k", "0 0 0 1 K"]));
  expect(text + drawn).not.toMatch(/ rg\n|DeviceRGB/i);
});

test("an archive has its name only once it is complete, and what a killed run left is replaced", async () => {
  const folder = makeFolder();
  const file = join(folder, "codes.zip");
  const words = ["--zip", file, "--format", "png", "--name", "{n}-{title}", "--csv"];
  let isDone = false;
  const running = print(...words, writeTable(folder, 300)).finally(() => {
    isDone = true;
  });
  while (!existsSync(`${file}.part`) && !isDone) await setImmediate();
  expect([isDone, existsSync(file)]).toEqual([false, false]);
  await running;
  renameSync(file, `${file}.part`);
  expect((await print(...words, writeTable(folder, 30))).code).toBe(0);
  const names = Object.keys(unzipSync(readFileSync(file)));
  expect([names.length, names[0], names.at(-1)]).toEqual([
    30,
    "01-Tisch 0 für 4.png",
    "30-Tisch 29 für 4.png",
  ]);
  expect(readdirSync(folder).sort()).toEqual(["codes.zip", "rows.csv"]);
});

test("signpost qr --wifi writes a code without a service", async () => {
  const file = join(makeFolder(), "wifi.png");
  const wifi = ["--wifi", "ssid=Guests; all", "password=a=b", "hidden=true"];
  expect(await print(...wifi, "-o", file, "--width", "400")).toMatchObject({ code: 0 });
  const content = "WIFI:T:WPA;S:Guests\\; all;P:a=b;H:true;;";
  expect(await listFailingDecoders(await readPng(new Uint8Array(readFileSync(file))), content)).toEqual([]);
});

test.each([
  [[], "name links, or pass --label, --search, --csv or a content"],
  [["a", "--text", "x"], "name links, or pass"],
  [["--wifi", "ssid=x", "--text", "x"], "a QR code has one content"],
  [["--wifi", "name=x"], "name=x must be field=value, where field is one of ssid, password"],
  [["--wifi", "password=x"], "--wifi: ssid is required"],
  [["--text", "x", "--zip", "x.zip"], "use --output for one code"],
  [["--text", "x".repeat(3_000), "--format", "svg"], "content must have at most"],
  [["--csv", "x.csv"], "pass --zip FILE or --pdf FILE"],
  [["a", "b"], "pass --zip FILE or --pdf FILE"],
  [["a", "--csv", "x.csv", "--zip", "x.zip"], "name links, or pass"],
  [["a", "--zip", "x.zip", "--pdf", "x.pdf"], "can't be combined"],
  [["a", "--zip", "x.zip", "-o", "x.svg"], "use --output for one code"],
  [["--csv", "nowhere.csv", "--zip", "x.zip"], "nowhere.csv cannot be read"],
  [["--csv", "package.json", "--zip", "x.zip"], "needs a column"],
  [["--csv", "@table", "--pdf", "x.pdf", "--width", "100"], "don't apply to --pdf"],
  [["--csv", "@table", "--pdf", "x.pdf", "--mm", "80"], "don't fit 3 × 8 on the paper"],
  [["--csv", "@table", "--pdf", "x.pdf", "--caption", "{room}"], "{room} is unknown"],
  [["--csv", "@table", "--pdf", "x.pdf", "--paper", "a5"], "Must be a4, letter"],
  [["--csv", "@table", "--pdf", "x.pdf", "--rows", "0"], "Must be 1 to 100"],
  [["--csv", "@table", "--pdf", "x.pdf", "--caption", "你好"], "Captions can't show “你” in “你好”"],
  [["--text", "x", "--format", "svg", "--frame", "circle"], "Allowed choices are text, label-below"],
  [
    ["--text", "x", "--format", "svg", "--frame", "text", "--frame-text", "扫码"],
    "“扫” (U+626B) cannot be drawn",
  ],
  [["--text", "x", "--format", "svg", "--frame-text", "Hi"], "need --frame"],
  [["--text", "x", "--format", "svg", "--frame-color", "red"], "Must be a hex colour"],
])("signpost qr %j fails: %s", async (words, message) => {
  const table = writeTable(makeFolder(), 1);
  const { code, notes } = await print(...words.map((word) => (word === "@table" ? table : word)));
  expect([code, notes]).toEqual([2, expect.stringContaining(message)]);
});
