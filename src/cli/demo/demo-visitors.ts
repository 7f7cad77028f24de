// Pure: no I/O, clock or randomness.
import type { Browser, Device, OperatingSystem } from "../../routing/rules.ts";
import type { MarkedSource, SOURCES } from "../../scans/source.ts";
import type { TrafficClass } from "../../scans/traffic.ts";
import type { Random } from "./random.ts";

/** Generates visitors of the demo workspace's links and pages: people and bots. */

type Weighted<Value> = readonly (readonly [value: Value, weight: number])[];

/** Parses weights in the form `safari 84, chrome 13`. A hyphen means that the value is missing. */
function parseWeights<Value extends string>(text: string): Weighted<Value> {
  return text.split(", ").map((entry) => {
    const [value = "", weight] = entry.split(" ");
    return [value as Value, Number(weight)];
  });
}

/** Converts a hyphen to null. */
function toNull(value: string): string | null {
  return value === "-" ? null : value;
}

/** Where people find a link: on paper, in social networks, in an email or on other sites. */
export type AudienceName = "print" | "social" | "mail" | "web";

/** Distribution of an audience's visits. */
interface Audience {
  devices: Weighted<Device>;
  sources: Weighted<(typeof SOURCES)[number]>;
  referrers: Weighted<string>;
  /** Visits on each weekday as a multiple of the average, starting with Sunday. */
  weekdays: readonly number[];
  /** Weight of each hour of the visitor's day. */
  hours: readonly number[];
}

const CAFE_HOURS = [0, 0, 0, 0, 0, 1, 3, 8, 12, 14, 13, 11, 13, 12, 11, 12, 11, 9, 7, 4, 3, 2, 1, 1];
const EVENING_HOURS = [3, 1, 1, 0, 0, 1, 3, 6, 7, 6, 6, 7, 9, 8, 7, 7, 8, 10, 13, 16, 18, 17, 12, 6];
const OFFICE_HOURS = [1, 0, 0, 0, 0, 1, 4, 10, 15, 16, 14, 11, 9, 11, 11, 10, 9, 7, 5, 5, 5, 4, 3, 2];

/** Audiences by name. */
export const AUDIENCES: Readonly<Record<AudienceName, Audience>> = {
  print: {
    devices: parseWeights("mobile 93, tablet 5, desktop 2"),
    sources: parseWeights("qr 88, link 12"),
    referrers: parseWeights("- 1"),
    weekdays: [1.35, 0.7, 0.8, 0.85, 0.95, 1.15, 1.5],
    hours: CAFE_HOURS,
  },
  social: {
    devices: parseWeights("mobile 81, desktop 15, tablet 4"),
    sources: parseWeights("link 79, page 21"),
    referrers: parseWeights(
      "instagram.com 55, facebook.com 11, t.co 8, youtube.com 7, mastodon.social 4, - 15",
    ),
    weekdays: [1.2, 0.9, 0.9, 0.95, 1, 1, 1.1],
    hours: EVENING_HOURS,
  },
  mail: {
    devices: parseWeights("desktop 52, mobile 45, tablet 3"),
    sources: parseWeights("link 1"),
    referrers: parseWeights("- 71, mail.google.com 14, outlook.live.com 9, mail.proton.me 6"),
    weekdays: [0.6, 1.2, 1.35, 1.2, 1.1, 0.95, 0.6],
    hours: OFFICE_HOURS,
  },
  web: {
    devices: parseWeights("mobile 55, desktop 41, tablet 4"),
    sources: parseWeights("link 94, page 6"),
    referrers: parseWeights(
      "google.com 51, duckduckgo.com 8, bing.com 6, reddit.com 7, linkedin.com 6, - 22",
    ),
    weekdays: [0.85, 1.1, 1.1, 1.05, 1.05, 1, 0.85],
    hours: OFFICE_HOURS,
  },
};

/** Country with its UTC offset in hours, its languages and its regions. */
interface Country {
  code: string;
  utcHours: number;
  languages: Weighted<string>;
  regions: Weighted<string>;
}

function country(code: string, utcHours: number, languages: string, regions = "- 1"): Country {
  return { code, utcHours, languages: parseWeights(languages), regions: parseWeights(regions) };
}

const COUNTRIES: Weighted<Country> = [
  [
    country(
      ...(["DE", 1, "de-DE 80, de 8, en-US 7, tr 3, en-GB 2"] as const),
      "DE-BE 44, DE-HH 31, DE-BY 7, DE-NW 8, DE-SN 4, DE-NI 6",
    ),
    520,
  ],
  [country("US", -5, "en-US 92, es-US 8", "US-NY 40, US-CA 34, US-MA 14, US-WA 12"), 78],
  [country("CH", 1, "de-CH 62, fr-CH 25, it 6, en-US 7", "CH-ZH 60, CH-GE 40"), 71],
  [country("AT", 1, "de-AT 85, de 10, en-US 5", "AT-9 70, AT-6 30"), 62],
  [country("NL", 1, "nl-NL 80, en-US 20", "NL-NH 70, NL-ZH 30"), 58],
  [country("GB", 0, "en-GB 94, pl 3, en-US 3", "GB-ENG 85, GB-SCT 15"), 55],
  [country("FR", 1, "fr-FR 90, en-US 10", "FR-IDF 65, FR-ARA 35"), 47],
  [country("DK", 1, "da 82, en-US 18", "DK-84 80, DK-82 20"), 36],
  [country("PL", 1, "pl 88, en-US 12"), 24],
  [country("SE", 1, "sv-SE 85, en-US 15"), 22],
  [country("IT", 1, "it-IT 90, en-US 10"), 15],
  [country("ES", 1, "es-ES 88, en-US 12"), 14],
  [country("JP", 9, "ja 92, en-US 8", "JP-13 75, JP-27 25"), 11],
  [country("BR", -3, "pt-BR 95, en-US 5"), 6],
];

const SYSTEMS: Readonly<Record<Device, Weighted<OperatingSystem>>> = {
  mobile: parseWeights("ios 52, android 48"),
  tablet: parseWeights("ios 74, android 26"),
  desktop: parseWeights("windows 51, macos 38, linux 8, chromeos 3"),
};

const BROWSERS: Readonly<Record<OperatingSystem, Weighted<Browser>>> = {
  ios: parseWeights("safari 84, chrome 13, firefox 3"),
  android: parseWeights("chrome 76, samsung 15, firefox 7, edge 2"),
  macos: parseWeights("safari 47, chrome 41, firefox 12"),
  windows: parseWeights("chrome 55, edge 29, firefox 14, opera 2"),
  linux: parseWeights("firefox 58, chrome 42"),
  chromeos: parseWeights("chrome 1"),
};

const TRAFFIC: Weighted<TrafficClass> = parseWeights("human 93, bot 4, preview 2, prefetch 1");

/** Visitor of the demo workspace. The fields have the same names as in `ScanFacts`. */
export interface DemoVisitor {
  traffic: TrafficClass;
  country: string;
  region: string | null;
  device: Device | null;
  os: OperatingSystem | null;
  browser: Browser | null;
  language: string | null;
  referrer: string | null;
  source?: MarkedSource | undefined;
  /** Number from 0 to 99 that decides rules with percentages. */
  share: number;
  /** UTC offset in hours. */
  utcHours: number;
}

/** Fields of bots, which send neither a system nor a language. */
const PROGRAM = { device: null, os: null, browser: null, language: null, referrer: null };

/** Generates a visitor of an audience. */
export function makeVisitor(random: Random, name: AudienceName): DemoVisitor {
  const audience = AUDIENCES[name];
  const traffic = random.pick(TRAFFIC);
  const { code, languages, regions, utcHours } = random.pick(COUNTRIES);
  const region = toNull(random.pick(regions));
  const visitor = { traffic, country: code, region, utcHours, share: random.integer(0, 99) };
  if (traffic === "bot" || traffic === "preview") return { ...visitor, ...PROGRAM };
  const device = random.pick(audience.devices);
  const os = random.pick(SYSTEMS[device]);
  const browser = random.pick(BROWSERS[os]);
  const language = random.pick(languages);
  const referrer = toNull(random.pick(audience.referrers));
  const source = random.pick(audience.sources);
  return {
    ...visitor,
    device,
    os,
    browser,
    language,
    referrer,
    source: source === "link" ? undefined : source,
  };
}
