// Pure: no I/O, clock or randomness.
import type { ComboOption } from "../../../components/combobox-options.ts";
import type { ListField } from "./rule-draft.ts";

/** Names of values in rule conditions, and the options of their pickers. */

const LOCALE = "en";

const CONTINENT_NAMES: Readonly<Record<string, string>> = {
  AF: "Africa",
  AN: "Antarctica",
  AS: "Asia",
  EU: "Europe",
  NA: "North America",
  OC: "Oceania",
  SA: "South America",
};
const DEVICE_NAMES: Readonly<Record<string, string>> = {
  mobile: "Phone",
  tablet: "Tablet",
  desktop: "Desktop",
};
const OS_NAMES: Readonly<Record<string, string>> = {
  ios: "iOS",
  android: "Android",
  windows: "Windows",
  macos: "macOS",
  linux: "Linux",
  chromeos: "ChromeOS",
};
const BROWSER_NAMES: Readonly<Record<string, string>> = {
  chrome: "Chrome",
  safari: "Safari",
  firefox: "Firefox",
  edge: "Edge",
  opera: "Opera",
  samsung: "Samsung Internet",
};

/** Languages that phones and computers offer: those with an ISO 639-1 code, and some major variants. */
const LANGUAGES =
  `af am ar az be bg bn bs ca cs cy da de de-AT de-CH el en en-AU en-CA en-GB en-US eo es es-419 es-ES
  es-MX et eu fa fi fr fr-BE fr-CA fr-CH ga gl gu ha he hi hr hu hy id ig is it ja jv ka kk km kn ko ku ky la lb lo lt
  lv mg mi mk ml mn mr ms mt my nb ne nl nl-BE nn no or pa pl ps pt pt-BR pt-PT ro ru rw sd si sk sl so sq sr st su sv
  sw ta te tg th ti tk tn tr tt ug uk ur uz vi wo xh yi yo zh zh-CN zh-HK zh-TW zu`.split(/\s+/);

const regionNames = new Intl.DisplayNames([LOCALE], { type: "region", fallback: "code" });
const languageNames = new Intl.DisplayNames([LOCALE], { type: "language", fallback: "code" });

const NAMES: Partial<Record<ListField, Readonly<Record<string, string>>>> = {
  continent: CONTINENT_NAMES,
  device: DEVICE_NAMES,
  os: OS_NAMES,
  browser: BROWSER_NAMES,
};

/** Returns the display name of a condition's value. Values without one are returned unchanged. */
export function nameValue(field: ListField, value: string): string {
  if (field === "country") return nameCode(regionNames, value);
  if (field === "language") return nameCode(languageNames, value);
  return NAMES[field]?.[value] ?? value;
}

function nameCode(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    // Ignores incomplete codes that the user is still typing.
    return code;
  }
}

/** Returns the options of a condition's picker. Countries and languages can be found by name and by code. */
export function listOptions(field: ListField, countries: Iterable<string>): ComboOption[] {
  if (field === "country") return sortOptions([...countries].map((code) => nameOption(field, code)));
  if (field === "language") return sortOptions(LANGUAGES.map((code) => nameOption(field, code)));
  return Object.keys(NAMES[field] ?? {}).map((value) => ({
    value,
    label: nameValue(field, value),
    ...(value === "ios" && { code: "iPhone, iPad" }),
  }));
}

function nameOption(field: ListField, code: string): ComboOption {
  return { value: code, label: nameValue(field, code), code };
}

function sortOptions(options: ComboOption[]): ComboOption[] {
  return options.sort((a, b) => a.label.localeCompare(b.label, LOCALE));
}
