// Pure: no I/O, clock or randomness.
import { getContrastRatio, getLuma, getLuminance } from "../core/colour.ts";
import type { FieldProblem } from "../core/error.ts";
import type { Design } from "./design.ts";

/** Checks that scanners can distinguish the dark and light modules of a design by their colours. */

/** Contrast ratio (WCAG 2.2) below which a colour is rejected. */
export const CONTRAST_MIN = 2;
/** Contrast ratio (WCAG 2.2) below which some scanners may not read a code, so a warning is returned. */
const CONTRAST_RECOMMENDED = 3;
/**
 * Minimum difference in luma. Scanners see only luma, and bright colours of different hues can have the same
 * luma. ZXing ignores differences below 0.1.
 */
const LUMA_DIFFERENCE_MIN = 0.125;
/**
 * Minimum luma difference of the finder patterns to the background, relative to the dots' difference, and
 * vice versa. Scanners separate dark from light by the average of a neighbourhood: next to much darker
 * modules, the others count as light.
 */
const FINDER_SHARE_MIN = 0.57;
const DOT_SHARE_MIN = 0.68;

type ColorField = "foreground_color" | "corner_color";

/** Lists the dark colours of a design with their fields, without a `corner_color` equal to the foreground. */
function listDarkColours({ foreground, corner }: Design): [ColorField, string][] {
  const others: [ColorField, string][] = corner === foreground ? [] : [["corner_color", corner]];
  return [["foreground_color", foreground], ...others];
}

/** Returns problems for colours that scanners can't distinguish. */
export function findColourProblems(design: Design): FieldProblem[] {
  const problems = listDarkColours(design).flatMap(([field, colour]) => {
    const message =
      findContrastProblem(colour, design.background) ?? findLumaProblem(colour, design.background);
    return message === null ? [] : [{ field: `design.${field}`, message }];
  });
  if (problems.length > 0) return problems;
  const message = findMixtureProblem(design);
  return message === null ? [] : [{ field: "design.corner_color", message }];
}

function findContrastProblem(colour: string, background: string): string | null {
  const ratio = getContrastRatio(colour, background);
  if (ratio >= CONTRAST_MIN) return null;
  return (
    `must have a contrast ratio of at least ${CONTRAST_MIN} to background_color; ` +
    `${colour} on ${background} has ${formatRatio(ratio)}`
  );
}

function findLumaProblem(colour: string, background: string): string | null {
  const difference = Math.abs(getLuma(background) - getLuma(colour));
  if (difference >= LUMA_DIFFERENCE_MIN) return null;
  return (
    `must differ from background_color by at least ${formatPercent(LUMA_DIFFERENCE_MIN)} in brightness, ` +
    `because scanners only detect brightness; ${colour} on ${background} differs by ${formatPercent(difference)}`
  );
}

/**
 * Returns the problem if finder patterns and dots differ so much in luma that a scanner can't separate both
 * from the background.
 */
function findMixtureProblem({ foreground, corner, background }: Design): string | null {
  const ground = getLuma(background);
  const dots = ground - getLuma(foreground);
  const finders = ground - getLuma(corner);
  if (Math.sign(dots) !== Math.sign(finders)) {
    const side = dots > 0 ? "darker" : "lighter";
    return `must be ${side} than background_color, like foreground_color; ${corner} on ${background} is not`;
  }
  const share = finders / dots;
  if (share >= FINDER_SHARE_MIN && 1 / share >= DOT_SHARE_MIN) return null;
  return (
    "must be closer to foreground_color in brightness, because scanners detect both together; " +
    `on ${background}, ${corner} stands out by ${formatPercent(Math.abs(finders))} ` +
    `and ${foreground} by ${formatPercent(Math.abs(dots))}`
  );
}

/** Property of a design that may cause trouble for scanners. */
interface Warning {
  /** Name in the `X-QR-Warning` header. */
  name: "low-contrast" | "light-on-dark" | "no-quiet-zone" | "low-contrast-frame";
  /** Sentence for `meta.warnings`. It begins with the path of the field. */
  sentence: string;
}

function listWarnings(design: Design): Warning[] {
  const { foreground, background, quietZone, frame } = design;
  const warnings = listDarkColours(design).flatMap(([field, colour]): Warning[] => {
    const ratio = getContrastRatio(colour, background);
    if (ratio >= CONTRAST_RECOMMENDED) return [];
    const pair = `design.${field} ${colour} on background_color ${background}`;
    const sentence = `${pair} has a contrast ratio of ${formatRatio(ratio)}: some scanners need ${CONTRAST_RECOMMENDED}.`;
    return [{ name: "low-contrast", sentence }];
  });
  if (getLuminance(foreground) > getLuminance(background)) {
    const sentence =
      "design.foreground_color is lighter than background_color: some scanners cannot read that.";
    warnings.push({ name: "light-on-dark", sentence });
  }
  if (quietZone === 0) {
    const sentence =
      "design.quiet_zone is 0: leave a margin in the background colour around the code, or scanners may not find it.";
    warnings.push({ name: "no-quiet-zone", sentence });
  }
  if (frame !== null && getContrastRatio(frame.color, background) < CONTRAST_RECOMMENDED) {
    const ratio = formatRatio(getContrastRatio(frame.color, background));
    const sentence = `design.frame.color ${frame.color} on background_color ${background} has a contrast ratio of ${ratio}: the frame is hard to see below ${CONTRAST_RECOMMENDED}.`;
    warnings.push({ name: "low-contrast-frame", sentence });
  }
  return warnings;
}

/** Lists the names of a design's warnings for `X-QR-Warning`. */
export function listWarningNames(design: Design): string[] {
  return [...new Set(listWarnings(design).map(({ name }) => name))];
}

/** Lists a design's warnings as sentences for `meta.warnings`. */
export function listWarningSentences(design: Design): string[] {
  return listWarnings(design).map(({ sentence }) => sentence);
}

/** Formats a contrast ratio, rounded down to two decimals so that it never looks like the limit above it. */
function formatRatio(ratio: number): string {
  return String(Math.floor(ratio * 100) / 100);
}

/** Formats a share in percent with one decimal, rounded down like a contrast ratio. */
function formatPercent(share: number): string {
  return `${Math.floor(share * 1000) / 10} %`;
}
