import { buildPalettes } from "../../../bio/palette.ts";
import { getTheme } from "../../../bio/theme-registry.ts";
import type { PageStyle } from "../../../bio/theme-types.ts";
import { getContrastRatio, isHexColour, TEXT_CONTRAST_MIN } from "../../../core/colour.ts";

/** Checks a page's colours with the same rules as the server. */

/** Message about a colour. The API rejects a `fault`; a `note` explains what visitors see instead. */
export interface ColourNote {
  field: "accent" | "background" | "text";
  kind: "fault" | "note";
  text: string;
}

/** Returns the messages about a page's colours. */
export function judgeColours(themeName: string | undefined, style: PageStyle): ColourNote[] {
  const names = ["accent", "background", "text"] as const;
  const malformed = names.filter((name) => style[name] && !isHexColour(style[name]));
  if (malformed.length > 0) {
    return malformed.map((field) => ({
      field,
      kind: "fault",
      text: "Must be a colour such as #0f766e.",
    }));
  }
  const given = Object.fromEntries(Object.entries(style).filter(([, value]) => value !== ""));
  const theme = getTheme(themeName);
  const palettes = buildPalettes(theme, given);
  const { accent, background, text } = given as PageStyle;
  if (text !== undefined && palettes.length === 0) return [describeUnreadable(text, background)];
  const notes: ColourNote[] = [];
  const schemes = background === undefined ? theme.schemes.length : 1;
  if (palettes.length < schemes) {
    const shown = palettes[0]?.isDark ? "dark" : "light";
    notes.push({
      field: "text",
      kind: "note",
      text: `Readable on the ${shown} background only, so everybody gets the ${shown} page.`,
    });
  }
  if (accent !== undefined && palettes.some(({ edge }) => edge !== accent)) {
    notes.push({
      field: "accent",
      kind: "note",
      text: "Too close to the background for an edge; the text colour is used there.",
    });
  } else if (accent !== undefined && palettes.some(({ accentText }) => accentText !== accent)) {
    notes.push({
      field: "accent",
      kind: "note",
      text: "Not readable as text on this background; the text colour is used there.",
    });
  }
  return notes;
}

function describeUnreadable(text: string, background: string | undefined): ColourNote {
  // Rounded down, because a ratio of 4.497 must not look like 4.5.
  const ratio =
    background === undefined ? "" : ` It is ${Math.floor(getContrastRatio(text, background) * 100) / 100}.`;
  return {
    field: "text",
    kind: "fault",
    text: `Must have a contrast of at least ${TEXT_CONTRAST_MIN} with the background.${ratio}`,
  };
}
