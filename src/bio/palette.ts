// Pure: no I/O, clock or randomness.
import {
  EDGE_CONTRAST_MIN,
  getContrastRatio,
  getLuminance,
  mixColours,
  pickReadableColour,
  TEXT_CONTRAST_MIN,
  tintBackground,
} from "../core/colour.ts";
import type { PageStyle, Scheme, Theme } from "./theme-types.ts";

/** Colours of a page in one scheme. All text has at least {@link TEXT_CONTRAST_MIN} contrast. */
export interface Palette {
  isDark: boolean;
  /** Backgrounds behind text, as in {@link Scheme}. */
  grounds: readonly [string, ...string[]];
  text: string;
  /** Colour of secondary text. */
  muted: string;
  surface: string;
  line: string;
  accent: string;
  /** Colour of text on the accent. */
  onAccent: string;
  /** Accent colour if it is readable as text, otherwise the text colour. */
  accentText: string;
  /** Accent colour if it has enough contrast for a border, otherwise the text colour. */
  edge: string;
  /** Background tinted with the accent, on which `text` is readable. */
  soft: string;
  /** Background tinted with the accent, on which `text` and `muted` are readable. */
  halo: string;
  extra: Readonly<Record<string, string>>;
}

// Share of the second colour in each mixture, from 0 to 1.
const MUTED_SHARE = 0.32;
const SURFACE_SHARE = 0.06;
const LINE_SHARE = 0.18;
const SOFT_SHARE = 0.16;
/** Relative luminance of a mid-grey. Darker backgrounds count as dark. */
const MIDDLE_LUMINANCE = 0.18;

/**
 * Returns the palettes of a page: one for each scheme of its theme, with the owner's colours applied. If the
 * owner sets a background, there is one scheme for all visitors. If the owner sets a text colour, schemes in
 * which it isn't readable are left out, so the result may be empty.
 */
export function buildPalettes(theme: Theme, style: PageStyle = {}): Palette[] {
  const schemes = style.background === undefined ? theme.schemes : [buildScheme(theme, style.background)];
  return schemes.flatMap((scheme) => {
    const palette = buildPalette(scheme, style);
    return isReadable(palette.text, palette.grounds) ? [palette] : [];
  });
}

/** Returns the scheme for the owner's background, with the colours of the theme's light or dark scheme. */
function buildScheme({ schemes }: Theme, background: string): Scheme {
  const isDark = getLuminance(background) < MIDDLE_LUMINANCE;
  const nearest = schemes.find((scheme) => scheme.isDark === isDark) ?? schemes[0];
  return { isDark, grounds: [background], text: nearest.text, accent: nearest.accent };
}

function buildPalette(scheme: Scheme, style: PageStyle): Palette {
  const { grounds } = scheme;
  const [ground] = grounds;
  const text = style.text ?? pickReadableColour(grounds, scheme.text);
  const accent = style.accent ?? scheme.accent;
  // The theme's shades only suit the theme's own text colour.
  const shades = style.text === undefined ? scheme : undefined;
  const surface = shades?.surface ?? tintBackground(ground, text, SURFACE_SHARE, text);
  const muted = shades?.muted ?? pickMutedColour(grounds, text);
  return {
    isDark: scheme.isDark,
    grounds,
    text,
    muted,
    surface,
    line: shades?.line ?? mixColours(ground, text, LINE_SHARE),
    accent,
    onAccent: pickReadableColour([accent], ground, text, "#ffffff"),
    accentText: isReadable(accent, [...grounds, surface]) ? accent : text,
    edge: getContrastRatio(accent, ground) >= EDGE_CONTRAST_MIN ? accent : text,
    soft: tintBackground(ground, accent, SOFT_SHARE, text),
    // `muted` usually has less contrast than `text`, but not always, so both are checked.
    halo: tintBackground(ground, accent, SOFT_SHARE, text, muted),
    extra: scheme.extra ?? {},
  };
}

/** Returns the text colour mixed with as much of the background as readability allows. */
function pickMutedColour(grounds: readonly string[], text: string): string {
  for (let share = MUTED_SHARE; share > 0.02; share /= 1.5) {
    const muted = mixColours(text, grounds[0] as string, share);
    if (isReadable(muted, grounds)) return muted;
  }
  return text;
}

function isReadable(text: string, grounds: readonly string[]): boolean {
  return grounds.every((ground) => getContrastRatio(text, ground) >= TEXT_CONTRAST_MIN);
}
