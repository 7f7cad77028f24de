import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { fitText, formatPdfString, isPrintable, measureText } from "../../src/client/print/caption-text.ts";
import {
  buildLogoRequest,
  extractLogo,
  extractPdfLogo,
  NO_LOGO,
} from "../../src/client/print/extract-logo.ts";
import { type PrintItem, readPrintItems, toPrintItem } from "../../src/client/print/print-items.ts";
import { layOutSheet, SHEET_DEFAULTS } from "../../src/client/print/sheet-layout.ts";
import { cleanFileName, FileNames, fillPattern } from "../../src/client/print/text-pattern.ts";
import { type PrintOutput, writeCodes } from "../../src/client/print/write-codes.ts";
import { ZIP_FILES_MAX, ZipWriter } from "../../src/client/print/zip-writer.ts";
import { concatBytes } from "../../src/qr/bytes.ts";
import { type DesignInput, resolveDesign } from "../../src/qr/design.ts";
import { renderPdf } from "../../src/qr/pdf.ts";
import { renderPng } from "../../src/qr/png.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { readPng } from "../support/png.ts";

/** Codes for print: selection, names, layout and archives. */

const ITEM = toPrintItem({ short_url: "https://go.acme.com/ab1", short_code: "ab1", title: "Ab/1" }, true);

function writeJob(
  items: readonly PrintItem[],
  output: PrintOutput,
  design: DesignInput = {},
  logo = {},
  templates = new Map(),
) {
  const parts: Uint8Array[] = [];
  const progress: number[] = [];
  const job = { items, design, templates, output, logo: { ...NO_LOGO, ...logo } };
  const done = writeCodes(job, (part) => parts.push(part), {
    onProgress: (count) => progress.push(count),
    pause: async () => {},
  });
  return done.then(() => ({ bytes: concatBytes(parts), progress }));
}

const zip = { kind: "zip", format: "svg", name: "{n}", widthPx: null, codeMm: 30 } as const;

describe("file names", () => {
  test.each([
    ["summer", "summer"],
    ['a/b\\c:d*e?f"g<h>i|j', "a-b-c-d-e-f-g-h-i-j"],
    ["line\nbreak\u0000", "line-break-"],
    ["  dots... ", "dots"],
    [".hidden", "hidden"],
    ["", "code"],
    ["...", "code"],
    ["CON", "_CON"],
    ["nul.txt", "_nul.txt"],
    ["COM¹", "_COM¹"],
    ["console", "console"],
    ["Cafe\u0301", "Café"],
    ["日".repeat(60), "日".repeat(40)],
    ["🎉".repeat(40), "🎉".repeat(30)],
  ])("%j becomes %j", (text, name) => {
    expect(cleanFileName(text)).toBe(name);
  });

  test("names that are equal in any case get a number", () => {
    const names = new FileNames();
    expect(["a", "A", "a (2)", "a"].map((text) => names.create(text, "png"))).toEqual([
      "a.png",
      "A (2).png",
      "a (2) (2).png",
      "a (3).png",
    ]);
  });

  test("patterns contain fields in any case, and numbers of equal length", () => {
    expect(fillPattern("{n} {Title} {code} {n}{missing}", ITEM, 4, 120)).toBe("005 Ab/1 ab1 005");
  });
});

describe("items", () => {
  test("a link has a compact code or its short URL", () => {
    expect(ITEM.content).toBe("HTTPS://GO.ACME.COM/AB1");
    expect(toPrintItem({ short_url: "https://a.co/X", short_code: "X", title: null }, false)).toMatchObject({
      content: "https://a.co/X",
    });
  });

  const EXPORT = "id,short_url,short_code,title\n1,https://go.acme.com/ab1,ab1,One\n";
  test.each([
    ["an export has compact codes", EXPORT, true, "HTTPS://GO.ACME.COM/AB1", "One"],
    ["an export has short URLs", EXPORT, false, "https://go.acme.com/ab1", "One"],
    [
      "an alias keeps its case",
      "short_url,short_code\nhttps://a.co/menu/Old,ab1\n",
      true,
      "https://a.co/menu/Old",
      "ab1",
    ],
    ["a short URL alone keeps its case", "Short_URL\nhttps://a.co/aB1\n", true, "https://a.co/aB1", ""],
    ["content comes first", 'url;Content\nhttps://a.co/1;"WIFI:S:a;;"\n', true, "WIFI:S:a;;", ""],
    [
      "any URL is content",
      "url,title\nhttps://example.com/a?b=1,x\n",
      true,
      "https://example.com/a?b=1",
      "x",
    ],
  ])("%s", (_, text, isCompact, content, title) => {
    const [item] = readPrintItems(text, isCompact);
    expect([item?.content, item?.fields.get("title")]).toEqual([content, title]);
  });

  test.each([
    ["title\nx\n", "needs a column"],
    ["content,title\nx,y\n,z\n", "line 3: the column content is empty"],
  ])("%j is rejected", (text, message) => {
    expect(() => readPrintItems(text, true)).toThrow(message);
  });
});

describe("archives", () => {
  test("contain each code under its name, and are equal for equal codes", async () => {
    const items = readPrintItems(
      "content,title\nhttps://a.co/1,x\nhttps://a.co/2,x\nhttps://a.co/3,ü\n",
      true,
    );
    const output = { ...zip, name: "{n} {title}" };
    const { bytes, progress } = await writeJob(items, output);
    const files = unzipSync(bytes);
    expect(Object.keys(files)).toEqual(["1 x.svg", "2 x.svg", "3 ü.svg"]);
    const svg = renderSvg(buildSymbol("https://a.co/3", "M", null), resolveDesign({}), 10, null);
    expect(new TextDecoder().decode(files["3 ü.svg"])).toBe(svg);
    expect(progress).toEqual([1, 2, 3]);
    expect((await writeJob(items, output)).bytes).toEqual(bytes);
  });

  test("have PNG files of a width and PDF files of a code's millimetres", async () => {
    const png = unzipSync((await writeJob([ITEM], { ...zip, format: "png", widthPx: 300 })).bytes)["1.png"];
    expect(new DataView((png as Uint8Array).buffer, (png as Uint8Array).byteOffset).getUint32(16)).toBe(300);
    const pdf = unzipSync((await writeJob([ITEM], { ...zip, format: "pdf", codeMm: 25.4 })).bytes)["1.pdf"];
    const { side } = buildSymbol(ITEM.content, "M", null).matrix;
    const [, width] = /MediaBox \[0 0 ([\d.]+)/.exec(new TextDecoder("latin1").decode(pdf)) ?? [];
    expect(Number(width)).toBeCloseTo((72 * (side + 2)) / side, 3);
  });

  test.each([
    [[], zip, {}, "There are no codes"],
    [[ITEM], { ...zip, name: "{room}" }, {}, "{room} is unknown. Use {title}, {url}"],
    [[ITEM], { ...zip, format: "png", widthPx: 40 }, {}, "Code 1 needs a width of at least 54 pixels"],
    [[ITEM], zip, { foreground_color: "#fff" }, "design.foreground_color must have a contrast"],
    [[ITEM, { ...ITEM, content: "x".repeat(3_000) }], zip, {}, "Code 2: content must have at most"],
    [Array(ZIP_FILES_MAX + 1).fill(ITEM), zip, {}, "at most 65534 codes"],
  ] as [PrintItem[], PrintOutput, DesignInput, string][])(
    "reject %#",
    async (items, output, design, message) => {
      await expect(writeJob(items, output, design)).rejects.toThrow(message);
    },
  );

  test("reject more bytes than the format has room for", () => {
    const writer = new ZipWriter(() => {});
    const content = { length: 0x1_0000_0000 } as Uint8Array;
    expect(() => writer.add("a", content)).toThrow("4 GB");
  });

  test("and sheets have the designs and logos of the items' own templates", async () => {
    const makeTemplate = async (value: number) => {
      const design = { logo_url: "https://a.co/l.png", background_color: "#fffff0" };
      const whole = resolveDesign(design);
      const logo = { width: 4, height: 4, data: { pixels: new Uint8Array(4 * 4 * 4).fill(value) } };
      const pdf = await renderPdf(buildSymbol("x", whole.level, whole.logoSize), whole, 40, logo);
      return { design, logo: { ...NO_LOGO, objects: extractPdfLogo(pdf) } };
    };
    const templates = new Map([
      ["one", await makeTemplate(90)],
      ["two", await makeTemplate(100)],
    ]);
    const items = [null, "one", "two", "deleted"].map((templateId) => ({ ...ITEM, templateId }));
    const sheet = { ...SHEET_DEFAULTS, captions: [] };
    const { bytes } = await writeJob(items, { kind: "sheets", sheet }, {}, {}, templates);
    const text = new TextDecoder("latin1").decode(bytes);
    expect(text).toContain("/XObject << /Logo1 6 0 R /Logo2 8 0 R >>");
    expect(text.match(/\/SMask \d+ 0 R/g)).toEqual(["/SMask 7 0 R", "/SMask 9 0 R"]);
    const files = unzipSync((await writeJob(items, zip, {}, {}, templates)).bytes);
    const colours = Object.values(files).map(
      (svg) => /fill="(#\w+)"/.exec(new TextDecoder().decode(svg))?.[1],
    );
    expect(colours).toEqual(["#ffffff", "#fffff0", "#fffff0", "#ffffff"]);
  });

  test("stop where the pause throws", async () => {
    const items = [ITEM, ITEM, ITEM];
    let done = 0;
    const run = writeCodes({ items, design: {}, logo: NO_LOGO, output: zip }, () => {}, {
      onProgress: (count) => {
        done = count;
      },
      pause: async () => {
        if (done === 2) throw new Error("cancelled");
      },
    });
    await expect(run).rejects.toThrow("cancelled");
    expect(done).toBe(2);
  });

  test("have the logo of a file that the service rendered", async () => {
    const pixels = new Uint8Array(4 * 4 * 4).fill(100);
    const design = { logo_url: "https://a.co/l.png", logo_size: 0.2 };
    const render = (content: string) => {
      const whole = resolveDesign(design);
      const logo = { width: 4, height: 4, data: { pixels } };
      return renderPdf(buildSymbol(content, whole.level, whole.logoSize), whole, 40, logo);
    };
    const objects = extractPdfLogo(await render("another"));
    expect(objects).toMatchObject({ width: 4, height: 4, objects: [{}, {}] });
    const { side } = buildSymbol(ITEM.content, "M", 0.2).matrix;
    const codeMm = (40 * side) / (side + 2);
    const { bytes } = await writeJob([ITEM], { ...zip, format: "pdf", codeMm }, design, { objects });
    expect(unzipSync(bytes)["1.pdf"]).toEqual(await render(ITEM.content));
    expect(extractPdfLogo(new TextEncoder().encode("%PDF"))).toBeNull();
  });
});

test.each([0.1, 0.25, 0.4])(
  "PNG codes have the logo of a PNG that the service rendered, %d wide",
  async (logo_size) => {
    const design = { logo_url: "https://a.co/l.png", logo_size, background_color: "#fffff0" };
    // Stripes of two colours, one of them transparent.
    const colours = [
      [200, 30, 0, 255],
      [0, 0, 90, 0],
    ];
    const buildLogo = (side: number) => ({
      side,
      pixels: Uint8Array.from({ length: side * side * 4 }, (_, i) => {
        const row = Math.floor(i / 4 / side);
        return colours[Math.floor((row * 4) / side) % 2]?.[i % 4] ?? 0;
      }),
    });
    const request = buildLogoRequest(design, "png");
    const size = Number(request.size);
    const sample = buildSymbol(request.content, "H", logo_size);
    const side = Math.floor(sample.logoSide * size);
    const image = await renderPng(sample, resolveDesign(request.design), size, buildLogo(side));
    const logo = await extractLogo(image, design, "png");
    const { bytes } = await writeJob([ITEM], { ...zip, format: "png", widthPx: 300 }, design, logo);
    const symbol = buildSymbol(ITEM.content, "M", logo_size);
    const modulePx = Math.floor(300 / (symbol.matrix.side + 2));
    const own = buildLogo(Math.floor(symbol.logoSide * modulePx));
    const expected = await readPng(await renderPng(symbol, resolveDesign(design), modulePx, own, 300));
    const { data } = await readPng(unzipSync(bytes)["1.png"] as Uint8Array);
    // Rows at the edge of two stripes are mixed.
    const differing = data.filter((value, i) => Math.abs(value - (expected.data[i] as number)) > 8);
    expect(differing.length / data.length).toBeLessThan(0.02);
  },
);

describe("sheets", () => {
  test("fit the largest code that leaves room for quiet zone and caption", () => {
    const { codeMm, cellWidthMm, cellHeightMm, captionTopMm } = layOutSheet(SHEET_DEFAULTS, [
      resolveDesign({}),
    ]);
    expect([cellWidthMm, cellHeightMm]).toEqual([190 / 3, 277 / 8]);
    const needed = codeMm * (1 + 8 / 21) + 2 * 3.2;
    expect(needed).toBeLessThanOrEqual(cellHeightMm);
    expect(needed + 0.1 * (1 + 8 / 21)).toBeGreaterThan(cellHeightMm);
    expect(captionTopMm + 2 * 3.2).toBeLessThanOrEqual(cellHeightMm);
  });

  test.each([
    [{ codeMm: 50 }, 1, "Codes of 50 mm with quiet zone and caption don't fit 3 × 8"],
    [{ codeMm: 50 }, 1, "Codes can have 20.4 mm at most"],
    [{ rows: 40 }, 1, "Use fewer rows or columns"],
    [{ codeMm: 5 }, 1, "too small to scan"],
    [{ codeMm: 20 }, 20, "Codes can have"],
  ])("%j with a quiet zone of %i are rejected: %s", (options, quiet_zone, message) => {
    const sheet = { ...SHEET_DEFAULTS, ...options };
    expect(() => layOutSheet(sheet, [resolveDesign({ quiet_zone })])).toThrow(message);
  });

  test("captions are measured, cut with an ellipsis and written in WinAnsi", () => {
    expect(measureText("Wi Ä")).toBe(944 + 222 + 278 + 667);
    expect(fitText("short", 3_000)).toBe("short");
    expect(fitText("Too long a text", 3_300)).toBe("Too l…");
    expect(formatPdfString("A€ü\u0308")).toBe("<4180fc20>");
    const printable = ["Straße “7” – €", "Кот", "a\nb"].map(isPrintable);
    expect(printable).toEqual([true, false, false]);
  });

  test("reject captions in other scripts, with the reason", async () => {
    const sheet = { ...SHEET_DEFAULTS, captions: ["{title}"] };
    const item = toPrintItem({ short_url: "https://a.co/1", short_code: "1", title: "日本" }, true);
    await expect(writeJob([item], { kind: "sheets", sheet })).rejects.toThrow("Captions can't show “日”");
  });
});
