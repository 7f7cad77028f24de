import {
  contrast,
  EDGE_CONTRAST_MIN,
  luminance,
  mix,
  readableOn,
  TEXT_CONTRAST_MIN,
  tint,
} from "../core/colour.ts";
import type { PageStyle, Scheme, Theme } from "./theme-types.ts";

/** The colours of a page in one scheme. Whatever the owner chose, text can be read on what it stands on. */
export interface Palette {
  isDark: boolean;
  grounds: readonly [string, ...string[]];
  text: string;
  /** Text of less weight. */
  muted: string;
  surface: string;
  line: string;
  accent: string;
  /** Text on the accent. */
  onAccent: string;
  /** The accent where it can be read as text; else the text's colour. */
  accentText: string;
  /** The accent where it can be seen as an edge; else the text's colour. */
  edge: string;
  /** The background with a breath of the accent. */
  soft: string;
  /** The same, for what lies behind text of any weight. */
  halo: string;
  extra: Readonly<Record<string, string>>;
}

const MUTED_SHARE = 0.32;
const SURFACE_SHARE = 0.06;
const LINE_SHARE = 0.18;
const SOFT_SHARE = 0.16;
/** Between black and white as the eye sees it. */
const MIDDLE_LUMINANCE = 0.18;

/**
 * The schemes in which a page is shown: those of its theme, under the owner's colours. A background of the owner's
 * makes it one for all visitors; a text colour leaves out the schemes in which it could not be read. Empty if none
 * is left.
 */
export function buildPalettes(theme: Theme, style: PageStyle = {}): Palette[] {
  const schemes = style.background === undefined ? theme.schemes : [schemeFor(theme, style.background)];
  return schemes.flatMap((scheme) => {
    const palette = paletteOf(scheme, style);
    return isReadable(palette.text, palette.grounds) ? [palette] : [];
  });
}

/** The scheme of the theme that is nearest to a background. */
function schemeFor({ schemes }: Theme, background: string): Scheme {
  const isDark = luminance(background) < MIDDLE_LUMINANCE;
  const nearest = schemes.find((scheme) => scheme.isDark === isDark) ?? schemes[0];
  return { isDark, grounds: [background], text: nearest.text, accent: nearest.accent };
}

function paletteOf(scheme: Scheme, style: PageStyle): Palette {
  const { grounds } = scheme;
  const [ground] = grounds;
  const text = style.text ?? readableOn(grounds, scheme.text);
  const accent = style.accent ?? scheme.accent;
  // The theme's own shades belong to its own text colour.
  const own = style.text === undefined ? scheme : undefined;
  const surface = own?.surface ?? tint(ground, text, SURFACE_SHARE, text);
  const muted = own?.muted ?? mutedOn(grounds, text);
  return {
    isDark: scheme.isDark,
    grounds,
    text,
    muted,
    surface,
    line: own?.line ?? mix(ground, text, LINE_SHARE),
    accent,
    onAccent: readableOn([accent], ground, text, "#ffffff"),
    accentText: isReadable(accent, [...grounds, surface]) ? accent : text,
    edge: contrast(accent, ground) >= EDGE_CONTRAST_MIN ? accent : text,
    soft: tint(ground, accent, SOFT_SHARE, text),
    halo: tint(ground, accent, SOFT_SHARE, muted),
    extra: scheme.extra ?? {},
  };
}

function mutedOn(grounds: readonly string[], text: string): string {
  for (let share = MUTED_SHARE; share > 0.02; share /= 1.5) {
    const muted = mix(text, grounds[0] as string, share);
    if (isReadable(muted, grounds)) return muted;
  }
  return text;
}

function isReadable(text: string, grounds: readonly string[]): boolean {
  return grounds.every((ground) => contrast(text, ground) >= TEXT_CONTRAST_MIN);
}
