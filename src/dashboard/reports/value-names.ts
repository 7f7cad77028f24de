/** Names of the values that scans are counted by, as people read them. */

/** Name of a value, with a sign before it such as a flag. */
export interface ValueName {
  text: string;
  sign: string | null;
}

/** Names of the dimensions: of a list of values, and of one value. */
export const DIMENSION_NAMES = {
  link: { many: "Links", one: "Link" },
  country: { many: "Countries", one: "Country" },
  region: { many: "Regions", one: "Region" },
  device: { many: "Devices", one: "Device" },
  os: { many: "Systems", one: "System" },
  browser: { many: "Browsers", one: "Browser" },
  referrer: { many: "Referrers", one: "Referrer" },
  language: { many: "Languages", one: "Language" },
  rule: { many: "Rules", one: "Rule" },
  traffic: { many: "Traffic", one: "Traffic" },
};

/** Dimension of a breakdown, as the API names it. */
export type Dimension = keyof typeof DIMENSION_NAMES;

const LOCALE = "en";
const REGION_BASE = 0x1f1e6 - "A".charCodeAt(0);

const WORDS: Readonly<Record<string, string>> = {
  unknown: "Unknown",
  other: "All others",
};

const FIXED: Partial<Record<Dimension, Readonly<Record<string, string>>>> = {
  device: { mobile: "Phone", tablet: "Tablet", desktop: "Computer" },
  os: {
    ...{ ios: "iOS", android: "Android", windows: "Windows" },
    ...{ macos: "macOS", linux: "Linux", chromeos: "ChromeOS" },
  },
  browser: {
    ...{ chrome: "Chrome", safari: "Safari", firefox: "Firefox" },
    ...{ edge: "Edge", opera: "Opera", samsung: "Samsung Internet" },
  },
  referrer: { direct: "Direct, without a page before" },
  rule: { default: "Default destination" },
  traffic: { human: "People", bot: "Crawlers", preview: "Link previews", prefetch: "Loaded ahead" },
};

/** Names a value of a dimension. */
export function nameValue(dimension: Dimension, value: string): ValueName {
  if (dimension === "country" && isCountry(value)) {
    return { text: display("region", value), sign: drawFlag(value) };
  }
  if (dimension === "region") return nameRegion(value);
  if (dimension === "language" && WORDS[value] === undefined) {
    return { text: display("language", value), sign: null };
  }
  // Hosts and names of rules may be any words.
  const isFree = dimension === "referrer" || dimension === "rule";
  const word = isFree && value !== "other" ? undefined : WORDS[value];
  return { text: FIXED[dimension]?.[value] ?? word ?? value, sign: null };
}

function isCountry(value: string): boolean {
  return /^[A-Z]{2}$/.test(value);
}

/** Names a region by its code and country: no browser knows the names of regions. */
function nameRegion(value: string): ValueName {
  const [country = "", code = ""] = value.split("-");
  if (!isCountry(country) || code === "") return { text: WORDS[value] ?? value, sign: null };
  return { text: `${display("region", country)}, ${code}`, sign: drawFlag(country) };
}

function display(type: "region" | "language", code: string): string {
  try {
    return new Intl.DisplayNames([LOCALE], { type }).of(code) ?? code;
  } catch {
    // A code that is none of the standard's stays what it is.
    return code;
  }
}

/** Returns the flag of a country: two letters that fonts draw as one. */
function drawFlag(country: string): string {
  return [...country].map((letter) => String.fromCodePoint(letter.charCodeAt(0) + REGION_BASE)).join("");
}
