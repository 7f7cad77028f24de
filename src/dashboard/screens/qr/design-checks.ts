// Pure: no I/O, clock or randomness.
import { getContrastRatio, getLuminance, mixColours } from "../../../core/colour.ts";
import { formatCount } from "../../../core/format-count.ts";
import { DAMAGE_MAX, findCoveredCodewords, measureDamage } from "../../../qr/blocks.ts";
import { findContentWarning } from "../../../qr/content-warning.ts";
import { type Design, type DesignInput, resolveDesign } from "../../../qr/design.ts";
import { findColourProblems, listWarningNames } from "../../../qr/design-problems.ts";
import type { Level } from "../../../qr/matrix.ts";
import { buildSymbol, type QrSymbol } from "../../../qr/symbol.ts";
import { NUMBER_LIMITS } from "./design-query.ts";
import { type Drawing, drawDesign, isAllowedDesign } from "./draw-design.ts";

/** Checks whether a design scans, by the same rules as the API, and offers a fix for each problem. */

/** Fix that the user can apply with one click. */
export interface Remedy {
  label: string;
  design: DesignInput;
}

/** Result of one check. `fault` means that the API rejects the design. */
export interface DesignCheck {
  subject: "content" | "contrast" | "inverted" | "logo" | "margin" | "frame";
  tone: "good" | "tip" | "warn" | "fault";
  text: string;
  remedy: Remedy | null;
}

/** Margin in modules that ISO/IEC 18004 requires. */
const MARGIN_STANDARD = 4;
/** Contrast ratio that fixes aim for. */
const CONTRAST_GOOD = 4.5;

/** Checks a design. `drawing` is the code drawn from this design and content. */
export function checkDesign(input: DesignInput, content: string, drawing: Drawing): DesignCheck[] {
  const design = resolveDesign(input);
  return [
    ...checkContent(content, drawing),
    checkContrast(input, design),
    ...checkDirection(input, design),
    checkMargin(input, design),
    ...checkLogo(input, design, content, drawing),
    ...checkFrame(input, design, drawing),
  ];
}

/** Returns the most severe result of several checks. */
export function judgeChecks(checks: readonly DesignCheck[]): DesignCheck["tone"] {
  const tones = ["fault", "warn", "tip"] as const;
  return tones.find((tone) => checks.some((check) => check.tone === tone)) ?? "good";
}

function checkContent(content: string, { fault }: Drawing): DesignCheck[] {
  const subject = "content";
  if (fault?.field === "content") {
    const text = `The content is too long for a QR code: it ${fault.message}.`;
    return [{ subject, tone: "fault", text, remedy: null }];
  }
  const warning = findContentWarning(content);
  return warning === null ? [] : [{ subject, tone: "warn", text: warning.sentence, remedy: null }];
}

function checkContrast(input: DesignInput, design: Design): DesignCheck {
  const { background, foreground, corner } = design;
  const ratio = Math.min(...[foreground, corner].map((colour) => getContrastRatio(colour, background)));
  const shown = `${formatRatio(ratio)}:1`;
  const remedy = { label: "Increase contrast", design: strengthenContrast(input, design) };
  const [fault] = findColourProblems(design);
  if (fault !== undefined) {
    const subject = fault.field === "design.corner_color" ? "The corner colour" : "The dot colour";
    return { subject: "contrast", tone: "fault", text: `${subject} ${fault.message}.`, remedy };
  }
  if (listWarningNames(design).includes("low-contrast")) {
    const text = `The contrast is ${shown}. Some scanners need at least 3:1.`;
    return { subject: "contrast", tone: "warn", text, remedy };
  }
  return { subject: "contrast", tone: "good", text: `The contrast is ${shown}.`, remedy: null };
}

/** Changes the colours of dots and corners in small steps until their contrast is sufficient. */
function strengthenContrast(input: DesignInput, { background, foreground, corner }: Design): DesignInput {
  // A light code stays light if white has enough contrast with the background. Otherwise colours get darker.
  const isLight = getLuminance(foreground) > getLuminance(background);
  const pole = isLight && getContrastRatio("#ffffff", background) >= CONTRAST_GOOD ? "#ffffff" : "#000000";
  const strengthen = (colour: string) => {
    for (let share = 0; share < 1; share += 0.05) {
      const mixed = mixColours(colour, pole, share);
      if (isOnSide(mixed, background, pole) && getContrastRatio(mixed, background) >= CONTRAST_GOOD)
        return mixed;
    }
    return pole;
  };
  const strong: DesignInput = { ...input, foreground_color: strengthen(foreground) };
  if (input.corner_color !== undefined) strong.corner_color = strengthen(corner);
  if (isAllowedDesign(strong)) return strong;
  // The colours are still rejected: no colour has enough contrast with a mid-tone background, or corners and
  // dots differ too much. Tries one colour for both first, then black on white.
  const { corner_color: _, ...joined } = strong;
  return isAllowedDesign(joined)
    ? joined
    : { ...joined, foreground_color: "#000000", background_color: "#ffffff" };
}

function isOnSide(colour: string, background: string, pole: string): boolean {
  return getLuminance(colour) > getLuminance(background) === (pole === "#ffffff");
}

function checkDirection(input: DesignInput, design: Design): DesignCheck[] {
  if (!listWarningNames(design).includes("light-on-dark")) return [];
  const { corner_color: _, ...rest } = input;
  const swapped = { ...rest, foreground_color: design.background, background_color: design.foreground };
  const text = "The code is lighter than its background. Some scanners can't read that.";
  return [{ subject: "inverted", tone: "warn", text, remedy: { label: "Swap colours", design: swapped } }];
}

function checkMargin(input: DesignInput, { quietZone }: Design): DesignCheck {
  const subject = "margin";
  if (quietZone >= MARGIN_STANDARD) {
    return {
      subject,
      tone: "good",
      text: `The margin is ${formatCount(quietZone, "module")} wide.`,
      remedy: null,
    };
  }
  const wide = { ...input, quiet_zone: MARGIN_STANDARD };
  const remedy = { label: `Increase margin to ${MARGIN_STANDARD}`, design: wide };
  if (quietZone === 0) {
    const text =
      "There is no margin. Leave empty space in the background colour around the code, or scanners may not find it.";
    return { subject, tone: "warn", text, remedy };
  }
  const width = formatCount(quietZone, "module");
  const text = `The margin is ${width} wide. The QR standard requires ${MARGIN_STANDARD}, unless the surrounding area is plain.`;
  return { subject, tone: "tip", text, remedy };
}

function checkLogo(input: DesignInput, design: Design, content: string, drawing: Drawing): DesignCheck[] {
  if (design.logoUrl === null) return [];
  if (drawing.fault !== null) {
    if (drawing.fault.field !== "design.logo_size") return [];
    const text = "The logo covers more of the code than error correction can recover.";
    return [{ subject: "logo", tone: "fault", text, remedy: shrinkLogo(input, content) }];
  }
  const { level, version } = drawing.symbol.matrix;
  const share = Math.round(measureLogoDamage(drawing.symbol) * 100);
  if (level !== design.level) {
    const text = `The logo needs more error correction than level ${design.level} provides, so level ${level} is used.`;
    const raised = { ...input, error_correction: level };
    const remedy = { label: `Raise error correction to ${level}`, design: raised };
    return [{ subject: "logo", tone: "tip", text, remedy }];
  }
  const plain = findVersion(content, level);
  if (plain !== null && version > plain) {
    const text = `The logo makes the code denser: ${formatCount(drawing.symbol.matrix.side, "module")} per side instead of ${17 + 4 * plain}.`;
    return [{ subject: "logo", tone: "tip", text, remedy: shrinkToVersion(input, content, plain) }];
  }
  const text = `The logo uses ${share}% of the available error correction (maximum ${DAMAGE_MAX * 100}%).`;
  return [{ subject: "logo", tone: "good", text, remedy: null }];
}

function checkFrame(input: DesignInput, design: Design, { fault }: Drawing): DesignCheck[] {
  const subject = "frame";
  if (fault?.field === "design.frame.text")
    return [{ subject, tone: "fault", text: `${fault.message}.`, remedy: null }];
  if (input.frame === undefined || !listWarningNames(design).includes("low-contrast-frame")) return [];
  const { color = design.foreground, ...frame } = input.frame;
  const ratio = formatRatio(getContrastRatio(color, design.background));
  const text = `The frame has a contrast of ${ratio}:1. It is hard to see below 3:1.`;
  return [
    {
      subject,
      tone: "tip",
      text,
      remedy: { label: "Use the colour of the dots", design: { ...input, frame } },
    },
  ];
}

/** Returns the share of error correction that the logo uses up in the symbol's most damaged block. */
export function measureLogoDamage({ matrix: { version, level }, clearedSide }: QrSymbol): number {
  const covered = findCoveredCodewords(version, clearedSide);
  return covered === null ? 0 : measureDamage(version, level, covered);
}

function findVersion(content: string, level: Level): number | null {
  try {
    return buildSymbol(content, level, null).matrix.version;
  } catch {
    return null;
  }
}

/** Lists the smaller logo sizes in whole percent, largest first. */
function listSmallerSizes({ logoSize }: Design): number[] {
  const from = Math.ceil(Math.round(logoSize * 1_000) / 10) - 1;
  const to = NUMBER_LIMITS.logo_size[0] * 100;
  return Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => (from - index) / 100);
}

/** Returns a fix with the largest logo that the code can repair, or null. */
function shrinkLogo(input: DesignInput, content: string): Remedy | null {
  return findSmallerLogo(input, content, ({ fault }) => fault === null);
}

/** Returns a fix with the largest logo that doesn't need a larger code version, or null. */
function shrinkToVersion(input: DesignInput, content: string, version: number): Remedy | null {
  return findSmallerLogo(input, content, ({ symbol }) => symbol?.matrix.version === version);
}

function findSmallerLogo(
  input: DesignInput,
  content: string,
  fits: (drawing: Drawing) => boolean,
): Remedy | null {
  const size = listSmallerSizes(resolveDesign(input)).find((logo_size) =>
    fits(drawDesign(content, { ...input, logo_size }, null)),
  );
  if (size === undefined) return null;
  return {
    label: `Shrink logo to ${Math.round(size * 100)}%`,
    design: { ...input, logo_size: size },
  };
}

/**
 * Formats a contrast ratio with one decimal. It is rounded down, so that a ratio below a limit never looks
 * like it meets the limit.
 */
function formatRatio(ratio: number): string {
  return String(Math.floor(ratio * 10) / 10);
}
