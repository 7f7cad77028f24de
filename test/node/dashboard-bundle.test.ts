import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { isUnchanged, recordBuild } from "../../src/cli/build-record.ts";
import { buildDashboard, bundleDashboard } from "../../src/cli/dashboard-bundle.ts";
import { getContrastRatio } from "../../src/core/colour.ts";
import { HUES } from "../../src/dashboard/components/label-hue.ts";

const PROJECT = join(import.meta.dirname, "../..");

/** Maximum size of the first load: the page's scripts, style sheet and first screen, gzipped. */
const FIRST_LOAD_MAX_BYTES = 45_000;
/** Maximum size of the frame without a screen, which leaves room for screens. */
const FRAME_MAX_BYTES = 32_000;
/** Screens that people open first: the start screen, and lists. */
const FIRST_SCREENS = [
  "overview-screen",
  "links-screen",
  "pages-screen",
  "assets-screen",
  "webhooks-screen",
] as const;

test("a build is repeated if one of its files has changed or is missing, and at first", () => {
  const folder = mkdtempSync(join(tmpdir(), "signpost-build-"));
  const [record, one, two] = [join(folder, "new/record.json"), join(folder, "one"), join(folder, "two")];
  expect(isUnchanged(record)).toBe(false);
  for (const file of [one, two]) writeFileSync(file, "text");
  recordBuild(record, [relative(PROJECT, one), relative(PROJECT, two)]);
  expect(isUnchanged(record)).toBe(true);
  writeFileSync(two, "changed");
  expect(isUnchanged(record)).toBe(false);
  writeFileSync(two, "text");
  expect(isUnchanged(record)).toBe(true);
  rmSync(one);
  expect(isUnchanged(record)).toBe(false);
});

describe("the bundle of the dashboard", () => {
  let bundle: Awaited<ReturnType<typeof bundleDashboard>>;

  beforeAll(async () => {
    bundle = await bundleDashboard();
  });

  const measure = (names: Iterable<string>) => {
    let bytes = 0;
    for (const name of names) bytes += gzipSync(findText(name)).length;
    return bytes;
  };
  const findText = (name: string) => bundle.files.find((file) => file.name === name)?.text ?? "";
  const findScreen = (name: string) =>
    bundle.files.find((file) => file.name.startsWith(`${name}-`))?.name ?? "";

  /** Returns a script with all its static imports. */
  const follow = (name: string, found = new Set<string>()): Set<string> => {
    found.add(name);
    for (const [, next = ""] of findText(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
      if (!found.has(next)) follow(next, found);
    }
    return found;
  };

  test("has file names that depend on the content", () => {
    expect(bundle.files.map(({ name }) => name)).toEqual(
      bundle.files.map(() => expect.stringMatching(/^[\w-]+-\w{8,16}\.(?:js|css|txt)$/)),
    );
  });

  test("is what the last build has written", async () => {
    await buildDashboard();
    for (const file of bundle.files) {
      const written = readFileSync(join(PROJECT, "dist/dashboard", `${file.name}.client.txt`), "utf8");
      expect(written, file.name).toBe(file.text);
    }
  });

  test("preloads the imports of the first script, and nothing else", () => {
    const { app, preloads } = bundle.entries;
    expect(new Set([app, ...preloads])).toEqual(follow(app));
  });

  test("loads at most 45 kB of script and style before the first screen is shown", () => {
    const { app, style, theme, preloads } = bundle.entries;
    const frame = new Set([app, style, theme, ...preloads]);
    expect(measure(frame)).toBeGreaterThan(10_000);
    expect(measure(frame)).toBeLessThan(FRAME_MAX_BYTES);
    for (const name of FIRST_SCREENS) {
      const withScreen = new Set([...frame, ...follow(findScreen(name))]);
      expect(withScreen.size).toBeGreaterThan(frame.size);
      expect(measure(withScreen), name).toBeLessThan(FIRST_LOAD_MAX_BYTES);
    }
  });

  test("loads each component's style sheet once, with its script, under names that no other sheet has", () => {
    const sheets = bundle.files.flatMap(({ text }) =>
      [...text.matchAll(/\b[\w$]+\((\d+),(["'`])([\s\S]*?\})(?<!\\)\2\);/g)].map(
        ([, position, , rules = ""]) => ({
          position: Number(position),
          names: new Set([...rules.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name)),
        }),
      ),
    );
    const count = globSync("src/dashboard/**/*.module.css").length;
    expect(sheets.map(({ position }) => position).sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
    const globals = new Set(
      [...findText(bundle.entries.style).matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name),
    );
    const names = sheets.flatMap((sheet) => [...sheet.names]).filter((name) => !globals.has(name));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("contains the licences of its packages", () => {
    const licences = findText(bundle.entries.licences);
    for (const name of [
      "preact",
      "@preact/signals",
      "@preact/signals-core",
      "openapi-fetch",
      "papaparse",
      "qr",
    ]) {
      expect(licences.split("\n")).toContain(name);
    }
    expect(licences.split("\n")).toEqual(expect.arrayContaining(["circle-flags", "@fontsource/inter"]));
    expect(licences.match(/MIT License|Permission is hereby granted/gi)?.length).toBeGreaterThanOrEqual(4);
  });

  test("only loads screens, QR codes and imports where they are used", () => {
    const first = follow(bundle.entries.app);
    for (const name of ["links-screen", "gallery-screen", "draw-qr", "import-screen", "import-engine"]) {
      expect(findScreen(name)).not.toBe("");
      expect(first).not.toContain(findScreen(name));
    }
    expect(follow(findScreen("links-screen"))).not.toContain(findScreen("draw-qr"));
    expect(follow(findScreen("analytics-screen"))).not.toContain(findScreen("flag-drawings"));
    expect(follow(findScreen("qr-screen"))).not.toContain(findScreen("outlines"));
    expect(gzipSync(findText(findScreen("flag-drawings"))).length).toBeLessThan(36_000);
    expect(follow(findScreen("import-screen"))).not.toContain(findScreen("import-engine"));
    // The second one includes the CSV library.
    const hasLibrary = (name: string) =>
      [...follow(name)].some((part) => findText(part).includes("BAD_DELIMITERS"));
    expect(hasLibrary(findScreen("import-screen"))).toBe(false);
    expect(hasLibrary(findScreen("import-engine"))).toBe(true);
  });
});

const tokens = readFileSync(join(PROJECT, "src/dashboard/styles/tokens.css"), "utf8");

/** Returns the light and the dark value of a colour. */
function readColour(name: string): [light: string, dark: string] {
  const [, light = "", dark = ""] =
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
  expect([light, dark], name).not.toContain("");
  return [light, dark];
}

const GROUNDS = ["ground", "surface", "sunken", "raised"];
const TEXT_PAIRS = [
  ...GROUNDS.flatMap((ground) => ["text", "muted", "accent", "danger"].map((text) => [text, ground])),
  ...["accent", "good", "warn", "danger"].map((tone) => [tone, `${tone}-soft`]),
  ...["text", "muted"].map((text) => [text, "accent-soft"]),
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
];

describe("the colours of the dashboard", () => {
  test.each(TEXT_PAIRS)("text in %s is readable on %s", (text = "", ground = "") => {
    for (const scheme of [0, 1] as const) {
      const ratio = getContrastRatio(readColour(text)[scheme], readColour(ground)[scheme]);
      expect(ratio, `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each(Array.from({ length: HUES }, (_, index) => `hue-${index + 1}`))("%s is visible", (hue) => {
    for (const ground of GROUNDS) {
      for (const scheme of [0, 1] as const) {
        const ratio = getContrastRatio(readColour(hue)[scheme], readColour(ground)[scheme]);
        expect(ratio, ground).toBeGreaterThanOrEqual(3);
      }
    }
  });

  test.each(GROUNDS.slice(1))("edges of controls are visible on %s", (ground) => {
    for (const scheme of [0, 1] as const) {
      const ratio = getContrastRatio(readColour("edge")[scheme], readColour(ground)[scheme]);
      expect(ratio).toBeGreaterThanOrEqual(3);
    }
  });
});
