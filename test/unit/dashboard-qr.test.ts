import { describe, expect, test } from "vitest";
import { extractSvgLogo } from "../../src/client/print/extract-logo.ts";
import { getContrastRatio } from "../../src/core/colour.ts";
import {
  checkDesign,
  type DesignCheck,
  judgeChecks,
  measureLogoDamage,
} from "../../src/dashboard/screens/qr/design-checks.ts";
import {
  NO_HISTORY,
  redoStep,
  rememberStep,
  STEP_MS,
  undoStep,
} from "../../src/dashboard/screens/qr/design-history.ts";
import { applyLook, LOOKS } from "../../src/dashboard/screens/qr/design-looks.ts";
import { areSameDesigns, formatDesign, parseDesign } from "../../src/dashboard/screens/qr/design-query.ts";
import { drawDesign, isAllowedDesign } from "../../src/dashboard/screens/qr/draw-design.ts";
import { judgePrint, listPngWidths, readPrintWidth } from "../../src/dashboard/screens/qr/print-size.ts";
import { drawCornerTile, drawDotTile } from "../../src/dashboard/screens/qr/shape-tiles.ts";
import { DAMAGE_MAX } from "../../src/qr/blocks.ts";
import type { DesignInput } from "../../src/qr/design.ts";
import { findModuleMaxPx } from "../../src/qr/image-size.ts";

const CONTENT = "https://go.example.com/menu";
const LOGO = "https://cdn.example.com/a_b/l_logo.png?x=1_2";

describe("designs in the URL", () => {
  const everything: DesignInput = {
    foreground_color: "#0b5d51",
    background_color: "#fff",
    corner_color: "#123456",
    error_correction: "Q",
    dot_style: "classy-rounded",
    corner_style: "dot",
    logo_size: 0.25,
    quiet_zone: 0,
    compact: false,
    logo_url: LOGO,
  };

  test.each([
    [{}, "plain"],
    [{ quiet_zone: 4 }, "q4"],
    [{ foreground_color: "#0b5d51", dot_style: "rounded" }, "f0b5d51_drounded"],
    [everything, `f0b5d51_bfff_c123456_eQ_dclassy-rounded_kdot_z0.25_q0_u0_l${LOGO}`],
  ] as [DesignInput, string][])("%o is %s", (design, text) => {
    expect(formatDesign(design)).toBe(text);
    expect(parseDesign(text)).toEqual(design);
  });

  test.each([
    "fred",
    "q21",
    "q-1",
    "q1.5",
    "q",
    "z0.09",
    "z0.41",
    "z",
    "eX",
    "dstars",
    "kstars",
    "lnowhere",
    "x1",
    "u2",
    "",
    "_",
  ])("values that the service would reject are omitted: %s", (text) => {
    expect(parseDesign(`${text}_q7`)).toEqual(text.startsWith("l") ? {} : { quiet_zone: 7 });
  });

  test.each([
    ["q0", 0],
    ["q20", 20],
    ["z0.1", 0.1],
    ["z0.4", 0.4],
  ])("the limits themselves are accepted: %s", (text, value) => {
    expect(Object.values(parseDesign(text))).toEqual([value]);
  });

  test("case of colours and order of members are ignored, case of a URL is not", () => {
    expect(
      areSameDesigns(
        { quiet_zone: 4, foreground_color: "#ABCDEF" },
        { foreground_color: "#abcdef", quiet_zone: 4 },
      ),
    ).toBe(true);
    expect(areSameDesigns({}, { quiet_zone: 1 })).toBe(false);
    expect(areSameDesigns({ logo_url: LOGO }, { logo_url: LOGO.toUpperCase() })).toBe(false);
  });
});

describe("undo and redo", () => {
  test("return to each state in both directions", () => {
    const one = rememberStep<string>(NO_HISTORY, "a", "x", 0);
    const two = rememberStep(one, "b", "y", 1);
    const back = undoStep(two, "c");
    expect(back?.state).toBe("b");
    const further = undoStep(back?.history ?? NO_HISTORY, "b");
    expect(further?.state).toBe("a");
    expect(undoStep(further?.history ?? NO_HISTORY, "a")).toBeNull();
    const forth = redoStep(further?.history ?? NO_HISTORY, "a");
    expect(forth?.state).toBe("b");
    expect(redoStep(forth?.history ?? NO_HISTORY, "b")?.state).toBe("c");
    expect(redoStep(two, "c")).toBeNull();
  });

  test("changes of one field shortly after each other are one step", () => {
    const first = rememberStep<string>(NO_HISTORY, "a", "x", 0);
    const near = rememberStep(first, "b", "x", STEP_MS);
    expect(near.past).toEqual(["a"]);
    // The time counts from the last change, so that a long drag is one step.
    expect(rememberStep(near, "c", "x", 2 * STEP_MS).past).toEqual(["a"]);
    expect(rememberStep(near, "c", "x", 2 * STEP_MS + 1).past).toEqual(["a", "c"]);
    expect(rememberStep(near, "c", "y", STEP_MS).past).toEqual(["a", "c"]);
  });

  test("a change after an undo starts a new history", () => {
    const one = rememberStep<string>(NO_HISTORY, "a", "x", 0);
    const back = undoStep(one, "b");
    const changed = rememberStep(back?.history ?? NO_HISTORY, "a", "x", 1);
    expect(changed).toMatchObject({ past: ["a"], future: [] });
  });

  test("a hundred steps are kept", () => {
    let history = rememberStep<number>(NO_HISTORY, 0, "0", 0);
    for (let i = 1; i <= 100; i++) history = rememberStep(history, i, String(i), i);
    expect(history.past).toHaveLength(100);
    expect(history.past[0]).toBe(1);
  });
});

describe("looks", () => {
  test.each(LOOKS)("$name scans without any warning", ({ design }) => {
    const checks = checkDesign(design, CONTENT, drawDesign(CONTENT, design, null));
    expect(judgeChecks(checks)).toBe("good");
    for (const colour of [design.foreground_color ?? "#000000", design.corner_color ?? "#000000"])
      expect(getContrastRatio(colour, design.background_color ?? "#ffffff")).toBeGreaterThanOrEqual(4.5);
  });

  test("keep the logo and the error correction, and nothing else", () => {
    const before = {
      logo_url: LOGO,
      logo_size: 0.3,
      error_correction: "H",
      corner_color: "#000",
    } as const;
    expect(applyLook(before, { name: "X", design: { dot_style: "dots" } })).toEqual({
      dot_style: "dots",
      logo_url: LOGO,
      logo_size: 0.3,
      error_correction: "H",
    });
  });
});

describe("scannability check", () => {
  const check = (design: DesignInput, content = CONTENT) =>
    checkDesign(design, content, drawDesign(content, design, null));
  const find = (design: DesignInput, subject: DesignCheck["subject"], content = CONTENT) =>
    check(design, content).find((other) => other.subject === subject);

  test.each([
    ["http://app.localhost:8787/x", "Only this machine can open app.localhost:8787. Phones can't."],
    ["HTTPS://192.168.0.9/X", "Only devices in the same network can open 192.168.0.9."],
    ["https://go.example.com/x", undefined],
    ["localhost", undefined],
  ])("the content %s gives the warning %s", (content, text) => {
    expect(find({}, "content", content)?.text).toBe(text);
    expect(judgeChecks(check({}, content)) === "warn").toBe(text !== undefined);
  });

  test.each([
    [{}, "good"],
    [{ foreground_color: "#949494" }, "good"],
    [{ foreground_color: "#959595" }, "warn"],
    [{ foreground_color: "#a0a0a0", corner_color: "#000" }, "fault"],
    [{ foreground_color: "#dddddd" }, "fault"],
    [{ corner_color: "#dddddd" }, "fault"],
    [{ foreground_color: "#000", corner_color: "#fff", background_color: "#888" }, "fault"],
  ] as [DesignInput, string][])("the contrast of %o is %s", (design, tone) => {
    expect(find(design, "contrast")?.tone).toBe(tone);
  });

  test.each([
    { foreground_color: "#959595" },
    { foreground_color: "#ffee00", corner_color: "#ffdd00" },
    { foreground_color: "#dddddd" },
    { foreground_color: "#dddddd", background_color: "#cccccc" },
    { foreground_color: "#777", background_color: "#777" },
    { foreground_color: "#000", corner_color: "#fff", background_color: "#888" },
    { foreground_color: "#333", background_color: "#000" },
    { foreground_color: "#ff0000", background_color: "#00ff00", corner_color: "#0000ff" },
  ])("the fix for the contrast of %o is a design without errors", (design) => {
    const remedy = find(design, "contrast")?.remedy?.design;
    expect(remedy).toBeDefined();
    expect(isAllowedDesign(remedy ?? {})).toBe(true);
    expect(find(remedy ?? {}, "contrast")?.tone).toBe("good");
  });

  // Steps of black give these colours 4.54, and 4.44 before 5.
  test.each([
    ["#dd8866", 4.5, 4.6],
    ["#b89898", 4.9, 5],
  ])("%s is strengthened no more than needed", (foreground_color, least, most) => {
    const remedy = find({ foreground_color }, "contrast")?.remedy?.design;
    const ratio = getContrastRatio(remedy?.foreground_color ?? "", "#ffffff");
    expect(ratio).toBeGreaterThanOrEqual(least);
    expect(ratio).toBeLessThan(most);
  });

  test("light on dark is reported, and fixed by swapping the colours", () => {
    const design = { foreground_color: "#ffffff", background_color: "#1a1c21", corner_color: "#eeeeee" };
    const found = find(design, "inverted");
    expect(found?.tone).toBe("warn");
    expect(found?.remedy?.design).toEqual({ foreground_color: "#1a1c21", background_color: "#ffffff" });
    expect(find(found?.remedy?.design ?? {}, "inverted")).toBeUndefined();
  });

  test.each([
    [0, "warn"],
    [1, "tip"],
    [3, "tip"],
    [4, "good"],
  ])("a margin of %i is %s", (quiet_zone, tone) => {
    const found = find({ quiet_zone, dot_style: "dots" }, "margin");
    expect(found?.tone).toBe(tone);
    if (tone !== "good") expect(found?.remedy?.design).toEqual({ quiet_zone: 4, dot_style: "dots" });
  });

  test("a logo that raises the level is reported, and the fix sets the level", () => {
    const design = { logo_url: LOGO, logo_size: 0.25, error_correction: "L" } as const;
    const found = find(design, "logo");
    expect(found?.remedy?.label).toMatch(/^Raise error correction to [QH]$/);
    const remedy = found?.remedy?.design ?? {};
    expect(drawDesign(CONTENT, remedy, null).svg).toBe(drawDesign(CONTENT, design, null).svg);
    expect(find(remedy, "logo")?.text).not.toMatch(/more than level/);
  });

  test("a logo that makes the code denser is shrunk until it does not", () => {
    const design = { logo_url: LOGO, logo_size: 0.4, error_correction: "H" } as const;
    const found = find(design, "logo");
    expect(found?.text).toMatch(/denser/);
    const remedy = found?.remedy?.design ?? {};
    expect(remedy.logo_size).toBeLessThan(0.4);
    const version = drawDesign(CONTENT, { error_correction: "H" }, null).symbol?.matrix.version;
    expect(drawDesign(CONTENT, remedy, null).symbol?.matrix.version).toBe(version);
    const larger = { ...remedy, logo_size: Math.round((remedy.logo_size ?? 0) * 100 + 1) / 100 };
    expect(drawDesign(CONTENT, larger, null).symbol?.matrix.version).toBeGreaterThan(version ?? 40);
  });

  test("a logo that cannot be repaired is shrunk until it can", () => {
    const long = "https://example.com/".padEnd(1_500, "x");
    const design = { logo_url: LOGO, logo_size: 0.4 } as const;
    const found = find(design, "logo", long);
    expect(found?.tone).toBe("fault");
    expect(drawDesign(long, found?.remedy?.design ?? {}, null).fault).toBeNull();
    const full = "https://example.com/".padEnd(2_900, "x");
    const smaller = find({ ...design, error_correction: "L" }, "logo", full)?.remedy?.design ?? {};
    expect(drawDesign(full, smaller, null).fault).toBeNull();
    const larger = { ...smaller, logo_size: ((smaller.logo_size ?? 0) * 100 + 1) / 100 };
    expect(drawDesign(full, larger, null).fault).not.toBeNull();
  });

  test("a valid logo shows how much error correction it uses, within the service's limit", () => {
    const design = { logo_url: LOGO, logo_size: 0.15, error_correction: "H", quiet_zone: 4 } as const;
    const drawing = drawDesign(CONTENT, design, null);
    expect(find(design, "logo")?.tone).toBe("good");
    if (drawing.symbol === null) throw new Error("no symbol");
    expect(measureLogoDamage(drawing.symbol)).toBeGreaterThan(0);
    expect(measureLogoDamage(drawing.symbol)).toBeLessThanOrEqual(DAMAGE_MAX);
  });

  test("content that is too long is reported, without reports about the logo", () => {
    const checks = check({ logo_url: LOGO }, "x".repeat(4_000));
    expect(checks.map(({ subject, tone }) => `${subject} ${tone}`)).toEqual([
      "content fault",
      "contrast good",
      "margin tip",
    ]);
    expect(judgeChecks(checks)).toBe("fault");
  });
});

describe("drawing", () => {
  test("the logo's area stays empty until the logo is loaded", () => {
    const design = { logo_url: LOGO };
    const empty = drawDesign(CONTENT, design, null).svg ?? "";
    const picture = "data:image/png;base64,AAAA";
    const whole = drawDesign(CONTENT, design, picture).svg ?? "";
    expect(extractSvgLogo(empty)).toBeNull();
    expect(extractSvgLogo(whole)).toBe(picture);
    expect(whole.replace(/<image [^>]*>/, "")).toBe(empty);
    // An image that was loaded for another design is not shown.
    expect(extractSvgLogo(drawDesign(CONTENT, {}, picture).svg ?? "")).toBeNull();
  });

  test("images of styles differ", () => {
    const dots = ["square", "rounded", "dots", "classy", "classy-rounded", "extra-rounded"] as const;
    expect(new Set(dots.map(drawDotTile)).size).toBe(6);
    const corners = ["square", "rounded", "dot", "extra-rounded"] as const;
    expect(new Set(corners.map(drawCornerTile)).size).toBe(4);
  });
});

describe("sizes", () => {
  test.each([
    [40, 33, { moduleMm: 1.21, distanceCm: 40, recommendedMm: 20, isSmall: false }],
    [20, 33, { isSmall: false, recommendedMm: 20 }],
    [19, 33, { isSmall: true }],
    [40, 101, { recommendedMm: 41, isSmall: true }],
  ])("%i mm for %i modules", (width, modules, facts) => {
    expect(judgePrint(width, modules)).toMatchObject(facts);
  });

  test.each([
    ["", 40],
    ["mm=10", 10],
    ["mm=9", 40],
    ["mm=200", 200],
    ["mm=201", 40],
    ["mm=x", 40],
  ])("the width in %s is %i", (query, width) => {
    expect(readPrintWidth(query)).toBe(width);
  });

  test.each([
    [33, 0, [512, 1024, 2048, 4096]],
    [256, 0, [512, 1024, 2048, 4096]],
    [257, 0, [1024, 2048, 4096]],
    // 512 pixels for a logo of 5 modules: 102 pixels a module.
    [33, 5, [512, 1024, 2048, 3398]],
    [45, 15, [512, 1024, 1574]],
  ])("%i modules with a logo of %i have the widths %j", (modules, logoSide, widths) => {
    expect(listPngWidths(modules, findModuleMaxPx(logoSide, null))).toEqual(widths);
  });
});
