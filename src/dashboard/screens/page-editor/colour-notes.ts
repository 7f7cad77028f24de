// Pure: no I/O, clock or randomness.
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
      text: "Enter a hex colour such as #0f766e.",
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
      text: `Only readable on the ${shown} background, so all visitors see the ${shown} version.`,
    });
  }
  if (accent !== undefined && palettes.some(({ edge }) => edge !== accent)) {
    notes.push({
      field: "accent",
      kind: "note",
      text: "Too similar to the background for borders, so the text colour is used instead.",
    });
  } else if (accent !== undefined && palettes.some(({ accentText }) => accentText !== accent)) {
    notes.push({
      field: "accent",
      kind: "note",
      text: "Not readable as text on this background, so the text colour is used instead.",
    });
  }
  return notes;
}

function describeUnreadable(text: string, background: string | undefined): ColourNote {
  // Rounded down, because a ratio of 4.497 must not look like 4.5.
  const ratio =
    background === undefined
      ? ""
      : ` Current contrast: ${Math.floor(getContrastRatio(text, background) * 100) / 100}.`;
  return {
    field: "text",
    kind: "fault",
    text: `Must have a contrast ratio of at least ${TEXT_CONTRAST_MIN} with the background.${ratio}`,
  };
}
