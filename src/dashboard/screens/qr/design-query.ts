// Pure: no I/O, clock or randomness.
import { isHexColour } from "../../../core/colour.ts";
import type { DesignInput } from "../../../qr/design.ts";
import { FRAME_STYLES, FRAME_TEXT_MAX_LENGTH } from "../../../qr/frame-style.ts";
import { LEVELS } from "../../../qr/matrix.ts";
import { CORNER_STYLES, DOT_STYLES } from "../../../qr/shape.ts";

/**
 * Converts designs to and from a parameter of the page's URL, such as `f0b5d51_drounded_q4`: each field that
 * is set is a letter followed by its value.
 */

/** Text of a design without any fields. An empty parameter would be removed from the URL. */
const PLAIN = "plain";
const SEPARATOR = "_";

/** Converts a field to and from text. `read` returns undefined for values that the API would reject. */
interface Member {
  write: (design: DesignInput) => string | undefined;
  read: (text: string) => DesignInput | undefined;
}

function colourMember(name: "foreground_color" | "background_color" | "corner_color"): Member {
  return {
    write: (design) => design[name]?.replace("#", ""),
    read: (text) => (isHexColour(`#${text}`) ? { [name]: `#${text}` } : undefined),
  };
}

function wordMember<Word extends string>(
  name: "error_correction" | "dot_style" | "corner_style",
  words: readonly Word[],
): Member {
  return {
    write: (design) => design[name],
    read: (text) => {
      const word = words.find((other) => other === text);
      return word && { [name]: word };
    },
  };
}

/** Limits of numeric fields, the same as in the API. */
export const NUMBER_LIMITS = { logo_size: [0.1, 0.4], quiet_zone: [0, 20] } as const;

function numberMember(name: keyof typeof NUMBER_LIMITS): Member {
  const [min, max] = NUMBER_LIMITS[name];
  return {
    write: (design) => design[name]?.toString(),
    read: (text) => {
      const value = text === "" ? Number.NaN : Number(text);
      const isWhole = name === "logo_size" || Number.isInteger(value);
      return value >= min && value <= max && isWhole ? { [name]: value } : undefined;
    },
  };
}

function flagMember(name: "compact"): Member {
  return {
    write: (design) => (design[name] === undefined ? undefined : design[name] ? "1" : "0"),
    read: (text) => (text === "1" || text === "0" ? { [name]: text === "1" } : undefined),
  };
}

/** The frame as its style, its colour and its text, separated by dots. The text comes last and has no separator. */
const frameMember: Member = {
  write: ({ frame }) =>
    frame &&
    [frame.style, frame.color?.replace("#", "") ?? "", encodeURIComponent(frame.text ?? "")]
      .join(".")
      .replaceAll(SEPARATOR, "%5F"),
  read: (part) => {
    const [, name, color = "", encoded = ""] = /^([a-z-]+)\.([^.]*)\.(.*)$/.exec(part) ?? [];
    const style = FRAME_STYLES.find((other) => other === name);
    const text = decodeText(encoded);
    if (style === undefined || text === null || text.length > FRAME_TEXT_MAX_LENGTH) return undefined;
    const isColoured = isHexColour(`#${color}`);
    return {
      frame: { style, ...(text.trim() !== "" && { text }), ...(isColoured && { color: `#${color}` }) },
    };
  },
};

function decodeText(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** Fields by their letter. The logo comes last, because its URL may contain the separator. */
const MEMBERS: readonly (readonly [letter: string, member: Member])[] = [
  ["f", colourMember("foreground_color")],
  ["b", colourMember("background_color")],
  ["c", colourMember("corner_color")],
  ["e", wordMember("error_correction", LEVELS)],
  ["d", wordMember("dot_style", DOT_STYLES)],
  ["k", wordMember("corner_style", CORNER_STYLES)],
  ["z", numberMember("logo_size")],
  ["q", numberMember("quiet_zone")],
  ["u", flagMember("compact")],
  ["r", frameMember],
  [
    "l",
    {
      write: (design) => design.logo_url,
      read: (text) => (URL.canParse(text) ? { logo_url: text } : undefined),
    },
  ],
];

/** Formats a design as a parameter of the URL. */
export function formatDesign(design: DesignInput): string {
  const parts = MEMBERS.flatMap(([letter, { write }]) => {
    const text = write(design);
    return text === undefined ? [] : [letter + text];
  });
  return parts.length === 0 ? PLAIN : parts.join(SEPARATOR);
}

/** Parses a design from a parameter of the URL. Invalid parts are ignored. */
export function parseDesign(text: string): DesignInput {
  const design: DesignInput = {};
  let rest = text === PLAIN ? "" : text;
  while (rest !== "") {
    const end = rest.startsWith("l") ? -1 : rest.indexOf(SEPARATOR);
    const part = end === -1 ? rest : rest.slice(0, end);
    rest = end === -1 ? "" : rest.slice(end + SEPARATOR.length);
    const member = MEMBERS.find(([letter]) => part.startsWith(letter))?.[1];
    Object.assign(design, member?.read(part.slice(1)));
  }
  return design;
}

/** Returns true if two designs have the same fields and values. Case is ignored, except in texts. */
export function areSameDesigns(one: DesignInput, other: DesignInput): boolean {
  return formatComparable(one) === formatComparable(other);
}

function formatComparable({ logo_url: logo, ...design }: DesignInput): string {
  return `${formatDesign(design).toLowerCase()} ${design.frame?.text ?? ""} ${logo ?? ""}`;
}
