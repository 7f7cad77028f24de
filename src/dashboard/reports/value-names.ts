// Pure: no I/O, clock or randomness.

/** Returns display names for the values by which scans are counted. */

/** Name of a value, and a short text to show before it, such as the code of a country. */
export interface ValueName {
  text: string;
  sign: string | null;
}

/** Names of the dimensions, in plural and singular. */
export const DIMENSION_NAMES = {
  link: { many: "Links", one: "Link" },
  country: { many: "Countries", one: "Country" },
  region: { many: "Regions", one: "Region" },
  device: { many: "Devices", one: "Device" },
  os: { many: "Operating systems", one: "Operating system" },
  browser: { many: "Browsers", one: "Browser" },
  referrer: { many: "Referrers", one: "Referrer" },
  language: { many: "Languages", one: "Language" },
  rule: { many: "Rules", one: "Rule" },
  traffic: { many: "Traffic", one: "Traffic" },
  source: { many: "Sources", one: "Source" },
  utm_source: { many: "UTM sources", one: "UTM source" },
  utm_medium: { many: "UTM mediums", one: "UTM medium" },
  utm_campaign: { many: "UTM campaigns", one: "UTM campaign" },
};

/** Dimension of a breakdown, with its name in the API. */
export type Dimension = keyof typeof DIMENSION_NAMES;

const LOCALE = "en";

const SHARED_LABELS: Readonly<Record<string, string>> = {
  unknown: "Unknown",
  other: "Other",
};

const FIXED: Partial<Record<Dimension, Readonly<Record<string, string>>>> = {
  device: { mobile: "Phone", tablet: "Tablet", desktop: "Desktop" },
  os: {
    ios: "iOS",
    android: "Android",
    windows: "Windows",
    macos: "macOS",
    linux: "Linux",
    chromeos: "ChromeOS",
  },
  browser: {
    chrome: "Chrome",
    safari: "Safari",
    firefox: "Firefox",
    edge: "Edge",
    opera: "Opera",
    samsung: "Samsung Internet",
  },
  referrer: { direct: "Direct (no referrer)" },
  rule: { default: "Default destination" },
  traffic: {
    human: "People",
    bot: "Bots",
    preview: "Link previews",
    prefetch: "Prefetches",
    scanner: "Security scanners",
  },
  source: { qr: "QR code", page: "Bio page", link: "Link" },
  utm_source: { none: "None" },
  utm_medium: { none: "None" },
  utm_campaign: { none: "None" },
};

/** Dimensions whose values can be any text. */
const FREE: readonly Dimension[] = ["referrer", "rule", "utm_source", "utm_medium", "utm_campaign"];

/** Returns the display name of a value. */
export function nameValue(dimension: Dimension, value: string): ValueName {
  if (dimension === "country" && isCountry(value)) {
    return { text: display("region", value), sign: value };
  }
  if (dimension === "region") return nameRegion(value);
  if (dimension === "language" && SHARED_LABELS[value] === undefined) {
    return { text: display("language", value), sign: null };
  }
  const isFree = FREE.includes(dimension);
  const label = isFree && value !== "other" ? undefined : SHARED_LABELS[value];
  return { text: FIXED[dimension]?.[value] ?? label ?? value, sign: null };
}

function isCountry(value: string): boolean {
  return /^[A-Z]{2}$/.test(value);
}

/** Returns the country's name and the region code, because browsers have no names of regions. */
function nameRegion(value: string): ValueName {
  const [country = "", code = ""] = value.split("-");
  if (!isCountry(country) || code === "") return { text: SHARED_LABELS[value] ?? value, sign: null };
  return { text: `${display("region", country)}, ${code}`, sign: country };
}

function display(type: "region" | "language", code: string): string {
  try {
    return new Intl.DisplayNames([LOCALE], { type }).of(code) ?? code;
  } catch {
    // Shows codes that aren't in the standard unchanged.
    return code;
  }
}
