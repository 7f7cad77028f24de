import fc from "fast-check";
import { expect, test } from "vitest";
import { formatHexColour, mixColours } from "../../src/core/colour.ts";
import { type DesignInput, resolveDesign } from "../../src/qr/design.ts";
import { findColourProblems } from "../../src/qr/design-problems.ts";
import { LEVELS } from "../../src/qr/matrix.ts";
import { renderPng } from "../../src/qr/png.ts";
import { CORNER_STYLES, DOT_STYLES } from "../../src/qr/shape.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { IS_LONG } from "../support/long-tests.ts";
import { readPng } from "../support/png.ts";
import { buildText, decodeWithZxing, rasterizeSvg } from "./support/qr-decoders.ts";

/** Random designs that the service accepts. Each of them must be readable. */

const RUNS = Number(process.env.QR_RUNS ?? (IS_LONG ? 150 : 40));
const SEED = Number(process.env.QR_SEED ?? 1);

const byte = fc.integer({ min: 0, max: 255 });
const color = fc.oneof(
  fc.tuple(byte, byte, byte).map(formatHexColour),
  byte.map((grey) => formatHexColour([grey, grey, grey])),
  fc.constantFrom("#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff", "#00ffff"),
);

interface Colours {
  foreground_color: string;
  background_color: string;
  corner_color?: string | undefined;
}

const isAccepted = (design: DesignInput) => findColourProblems(resolveDesign(design)).length === 0;

const acceptedColours = fc
  .record<Colours>(
    { foreground_color: color, background_color: color, corner_color: fc.option(color, { nil: undefined }) },
    { requiredKeys: ["foreground_color", "background_color"] },
  )
  .filter(isAccepted);

/** Mixes the dark colours with the background as far as the rules allow, so that a design is close to the limits. */
function weakenColours({ foreground_color, background_color, corner_color }: Colours): Colours {
  const mix = (share: number): Colours => ({
    foreground_color: mixColours(foreground_color, background_color, share),
    background_color,
    corner_color: corner_color && mixColours(corner_color, background_color, share),
  });
  let accepted = 0;
  for (let step = 0.5; step > 0.004; step /= 2) if (isAccepted(mix(accepted + step))) accepted += step;
  return mix(accepted);
}

const colours = fc.oneof(acceptedColours, acceptedColours.map(weakenColours));

const code = fc.record({
  colours,
  styles: fc.record({
    dot_style: fc.constantFrom(...DOT_STYLES),
    corner_style: fc.constantFrom(...CORNER_STYLES),
    error_correction: fc.constantFrom(...LEVELS),
    quiet_zone: fc.integer({ min: 1, max: 4 }),
  }),
  length: fc.integer({ min: 10, max: 120 }),
  size: fc.integer({ min: 3, max: 12 }),
  format: fc.constantFrom("png", "svg"),
});

test("a code of any accepted colours and styles is readable", async () => {
  await fc.assert(
    fc.asyncProperty(code, async ({ colours, styles, length, size, format }) => {
      const content = buildText(length);
      const design = resolveDesign({ ...colours, ...styles });
      const symbol = buildSymbol(content, design.level, null);
      const pixels =
        format === "svg"
          ? await rasterizeSvg(renderSvg(symbol, design, size, null))
          : await readPng(await renderPng(symbol, design, size, null));
      expect(await decodeWithZxing(pixels)).toBe(content);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
