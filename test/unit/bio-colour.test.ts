import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pageData } from "../../src/bio/bio.schema.ts";
import { buildPalettes } from "../../src/bio/palette.ts";
import { getTheme, THEMES } from "../../src/bio/theme-registry.ts";
import {
  getContrastRatio,
  getLuminance,
  isHexColour,
  mixColours,
  parseHexColour,
  pickReadableColour,
} from "../../src/core/colour.ts";

test.each([
  ["#fff", [255, 255, 255]],
  ["#0A0", [0, 170, 0]],
  ["#12ab9F", [18, 171, 159]],
])("parseHexColour parses %s", (hex, rgb) => {
  expect(isHexColour(hex)).toBe(true);
  expect(parseHexColour(hex)).toEqual(rgb);
});

test.each(["", "fff", "#ff", "#ffff", "#fffff", "#ggg", "#fff;", "#fffffff", "red"])(
  "isHexColour rejects '%s'",
  (text) => {
    expect(isHexColour(text)).toBe(false);
  },
);

// Expected ratios are from the WebAIM contrast checker (https://webaim.org/resources/contrastchecker/).
test.each([
  ["#000", "#fff", 21],
  ["#fff", "#fff", 1],
  ["#777777", "#ffffff", 4.48],
  ["#767676", "#ffffff", 4.54],
  ["#ff0000", "#ffffff", 4],
  ["#0000ff", "#ffffff", 8.59],
])("getContrastRatio of %s and %s is %d", (a, b, ratio) => {
  expect(Math.round(getContrastRatio(a, b) * 100) / 100).toBe(ratio);
  expect(getContrastRatio(b, a)).toBe(getContrastRatio(a, b));
});

test("getLuminance, mixColours and pickReadableColour", () => {
  expect([getLuminance("#000"), getLuminance("#fff")]).toEqual([0, 1]);
  expect(mixColours("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(pickReadableColour(["#ffffff"], "#eeeeee", "#333333")).toBe("#333333");
  expect(pickReadableColour(["#ffff00"], "#ffffff")).toBe("#000000");
  // Readable on one of two backgrounds is not readable.
  expect(pickReadableColour(["#ffffff", "#333333"], "#222222", "#eeeeee")).toBe("#000000");
  expect(pickReadableColour(["#ffffff", "#000000"])).toBe("#ffffff");
});

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

const pageStyle = fc.record({ accent: hex, background: hex, text: hex }, { requiredKeys: [] });

describe.each([...THEMES.keys()])("theme %s", (theme) => {
  test("is readable with every style that validation accepts", () => {
    fc.assert(
      fc.property(pageStyle, (style) => {
        const schemes = buildPalettes(getTheme(theme), style);
        expect(pageData.safeParse({ theme, style }).success).toBe(schemes.length > 0);
        for (const palette of schemes) {
          const { grounds, surface, soft, halo, accent, onAccent, accentText, text, muted, edge } = palette;
          const pairs = [
            ...grounds.flatMap((ground) => [
              [text, ground],
              [muted, ground],
              [accentText, ground],
            ]),
            [text, surface],
            [text, soft],
            [muted, halo],
            [text, halo],
            [accentText, surface],
            [onAccent, accent],
          ] as [string, string][];
          for (const pair of pairs) expect([pair, getContrastRatio(...pair) >= 4.5]).toEqual([pair, true]);
          expect(getContrastRatio(edge, grounds[0])).toBeGreaterThanOrEqual(3);
        }
      }),
      // In the example, the muted text has more contrast than the text.
      { numRuns: 300, examples: [[{ background: "#0ad8a3", text: "#a10200" }]] },
    );
  });

  test("keeps all its schemes if the owner sets no colours", () => {
    const { schemes } = getTheme(theme);
    expect(buildPalettes(getTheme(theme)).map(({ isDark }) => isDark)).toEqual(
      schemes.map(({ isDark }) => isDark),
    );
  });
});

describe("on a white background", () => {
  const build = (accent: string) => buildPalettes(getTheme("paper"), { background: "#ffffff", accent })[0];

  test("an accent with a contrast of at least 3 is used for the edges of controls", () => {
    // Ratios: 3.03 and 2.98.
    expect(build("#949494")?.edge).toBe("#949494");
    expect(build("#959595")?.edge).toBe(build("#959595")?.text);
  });

  test("derived colours mix 32, 6, 18 and 16 % of another colour", () => {
    const style = { background: "#ffffff", accent: "#ff0000", text: "#000000" };
    const [palette] = buildPalettes(getTheme("paper"), style);
    expect(palette).toMatchObject({
      muted: "#525252",
      surface: "#f0f0f0",
      line: "#d1d1d1",
      soft: "#ffd6d6",
    });
  });

  test("a background counts as dark below a luminance of 0.18, the middle grey", () => {
    const isDark = (background: string) => buildPalettes(getTheme("paper"), { background })[0]?.isDark;
    expect([getLuminance("#757575") < 0.18, getLuminance("#767676") < 0.18]).toEqual([true, false]);
    expect([isDark("#757575"), isDark("#767676")]).toEqual([true, false]);
  });
});
