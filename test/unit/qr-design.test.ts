import { expect, test } from "vitest";
import { getContrastRatio, getLuma } from "../../src/core/colour.ts";
import { type DesignInput, resolveDesign } from "../../src/qr/design.ts";
import { findColourProblems, listWarningNames, listWarningSentences } from "../../src/qr/design-problems.ts";
import { findSizeProblems, type ImageInput } from "../../src/qr/image-size.ts";

const listFaults = (design: DesignInput) =>
  findColourProblems(resolveDesign(design)).map(({ field, message }) => `${field}: ${message}`);

test.each<[DesignInput]>([
  [{}],
  [{ foreground_color: "#b5b5b5" }],
  [{ foreground_color: "#404040", background_color: "#000" }],
  [{ foreground_color: "#fff", background_color: "#000" }],
  [{ corner_color: "#1a73e8" }],
  [{ corner_color: "#c00000" }],
  [{ corner_color: "#0b5d51", foreground_color: "#222" }],
  [{ corner_color: "#000", foreground_color: "#333" }],
  [{ corner_color: "#8ab4f8", foreground_color: "#fff", background_color: "#202124" }],
])("findColourProblems accepts %j", (design) => {
  expect(listFaults(design)).toEqual([]);
});

test.each<[DesignInput, string[]]>([
  [
    { foreground_color: "#FFF" },
    [
      "design.foreground_color: must have a contrast ratio of at least 2 to background_color; #ffffff on #ffffff has 1",
    ],
  ],
  [
    { foreground_color: "#b9b9b9" },
    [
      "design.foreground_color: must have a contrast ratio of at least 2 to background_color; #b9b9b9 on #ffffff has 1.96",
    ],
  ],
  [
    { background_color: "#333" },
    [
      "design.foreground_color: must have a contrast ratio of at least 2 to background_color; #000000 on #333333 has 1.66",
    ],
  ],
  [
    { foreground_color: "#ddd", corner_color: "#eee" },
    [
      "design.foreground_color: must have a contrast ratio of at least 2 to background_color; #dddddd on #ffffff has 1.35",
      "design.corner_color: must have a contrast ratio of at least 2 to background_color; #eeeeee on #ffffff has 1.16",
    ],
  ],
  [
    { corner_color: "#ff0" },
    [
      "design.corner_color: must have a contrast ratio of at least 2 to background_color; #ffff00 on #ffffff has 1.07",
    ],
  ],
  [
    { foreground_color: "#0f0", background_color: "#ff47ff" },
    [
      "design.foreground_color: must differ from background_color by at least 12.5 % in brightness, because scanners only detect brightness; #00ff00 on #ff47ff differs by 1 %",
    ],
  ],
  [
    { background_color: "#888", corner_color: "#fff" },
    [
      "design.corner_color: must be darker than background_color, like foreground_color; #ffffff on #888888 is not",
    ],
  ],
  [
    { foreground_color: "#fff", background_color: "#888", corner_color: "#000" },
    [
      "design.corner_color: must be lighter than background_color, like foreground_color; #000000 on #888888 is not",
    ],
  ],
  [
    { corner_color: "#b0b0b0" },
    [
      "design.corner_color: must be closer to foreground_color in brightness, because scanners detect both together; on #ffffff, #b0b0b0 stands out by 30.9 % and #000000 by 100 %",
    ],
  ],
  [
    { foreground_color: "#888", corner_color: "#000" },
    [
      "design.corner_color: must be closer to foreground_color in brightness, because scanners detect both together; on #ffffff, #000000 stands out by 100 % and #888888 by 46.6 %",
    ],
  ],
])("findColourProblems rejects %j", (design, faults) => {
  expect(listFaults(design)).toEqual(faults);
});

test("greys with a contrast ratio of 2 always differ enough in luma, so the second rule only affects hues", () => {
  const greys = Array.from(
    { length: 256 },
    (_, value) => `#${value.toString(16).padStart(2, "0").repeat(3)}`,
  );
  for (const dark of greys) {
    const light = greys.find((grey) => grey > dark && getContrastRatio(dark, grey) >= 2);
    if (light !== undefined) expect(getLuma(light) - getLuma(dark)).toBeGreaterThan(0.15);
  }
});

test.each<[DesignInput, string[], string[]]>([
  [{}, [], []],
  [{ foreground_color: "#767676" }, [], []],
  [
    { foreground_color: "#9a9a9a" },
    ["low-contrast"],
    [
      "design.foreground_color #9a9a9a on background_color #ffffff has a contrast ratio of 2.81: some scanners need 3.",
    ],
  ],
  [
    { foreground_color: "#767676", corner_color: "#9a9a9a" },
    ["low-contrast"],
    [
      "design.corner_color #9a9a9a on background_color #ffffff has a contrast ratio of 2.81: some scanners need 3.",
    ],
  ],
  [
    { foreground_color: "#ffffff", background_color: "#000" },
    ["light-on-dark"],
    ["design.foreground_color is lighter than background_color: some scanners cannot read that."],
  ],
  [
    { quiet_zone: 0 },
    ["no-quiet-zone"],
    [
      "design.quiet_zone is 0: leave a margin in the background colour around the code, or scanners may not find it.",
    ],
  ],
  [
    { frame: { style: "border", color: "#ffd54f" } },
    ["low-contrast-frame"],
    [
      "design.frame.color #ffd54f on background_color #ffffff has a contrast ratio of 1.41: the frame is hard to see below 3.",
    ],
  ],
])("the warnings of design %j are %j", (design, names, sentences) => {
  expect(listWarningNames(resolveDesign(design))).toEqual(names);
  expect(listWarningSentences(resolveDesign(design))).toEqual(sentences);
});

test("a warning is listed once, even if it applies to two colours", () => {
  const design = resolveDesign({ foreground_color: "#9a9a9a", corner_color: "#999" });
  expect(listWarningNames(design)).toEqual(["low-contrast"]);
  expect(listWarningSentences(design)).toHaveLength(2);
});

test.each<[ImageInput, string[]]>([
  [{ format: "svg" }, []],
  [{ format: "png", size: 10 }, []],
  [{ format: "png", width: 512 }, []],
  [{ format: "pdf", width_mm: 40 }, []],
  [{ format: "svg", size: 10, width: 512 }, ["width"]],
  [{ format: "png", width_mm: 40 }, ["width_mm"]],
  [{ format: "svg", size: 1, width: 64, width_mm: 40 }, ["width", "width_mm"]],
  [{ format: "pdf", size: 10 }, ["size"]],
  [{ format: "pdf", size: 10, width: 64, width_mm: 40 }, ["size", "width"]],
])("findSizeProblems of %j names %j", (input, fields) => {
  expect(findSizeProblems(input).map(({ field }) => field)).toEqual(fields);
});

// On white, a grey of level g has a difference of 1 - g / 255.
test.each<[string, DesignInput, boolean]>([
  ["corners that stand out by 57 % of the dots", { corner_color: "#6d6d6d" }, true],
  ["corners that stand out by less", { corner_color: "#6e6e6e" }, false],
  ["dots that stand out by 68 % of the corners", { foreground_color: "#515151", corner_color: "#000" }, true],
  ["dots that stand out by less", { foreground_color: "#525252", corner_color: "#000" }, false],
])("%s", (_, design, isAccepted) => {
  expect(listFaults(design).length === 0).toBe(isAccepted);
});
