// Pure: no I/O, clock or randomness.
import type { AudienceName } from "./demo-visitors.ts";

/** Links of the demo workspace: a coffee roaster with two cafés and a shop. */

/** Returns a time in the API's format, a number of days after the start of today (UTC). */
export type Moment = (days: number) => string;

/** Change made to a link after its creation. */
interface DemoChange {
  /** Days before today. Absent if `minutesAgo` is set. */
  age?: number;
  minutesAgo?: number;
  patch: object;
}

/** Link of the demo workspace and its visits. */
export interface DemoLink {
  /** Custom short code. Absent for a generated code. */
  code?: string;
  title: string;
  url: string;
  labels: string[];
  /** Days since the link was created. */
  age: number;
  audience: AudienceName;
  /** Visits on an average day. */
  daily: number;
  /** Number of visits on a campaign's best day. The days around it have fewer. */
  peak?: { age: number; visits: number };
  /** Additional fields for creating the link. */
  fields?: (moment: Moment) => object;
  changes?: DemoChange[];
}

const SHOP = "https://example.com/shop";

/** Links with routing rules. */
const ROUTED: DemoLink[] = [
  {
    code: "menu",
    title: "Café menu",
    url: "https://example.com/menu",
    labels: ["print", "café"],
    age: 62,
    audience: "print",
    daily: 28,
    fields: () => ({
      note: "On every table. Guests with a German phone see the German menu.",
      routing_rules: [
        { name: "German", when: { language: ["de"] }, destination: "https://example.com/de/menu" },
        { name: "French", when: { language: ["fr"] }, destination: "https://example.com/fr/menu" },
      ],
    }),
    changes: [{ age: 12, patch: { title: "Café menu, new season" } }],
  },
  {
    code: "app",
    title: "Get the app",
    url: "https://example.com/app",
    labels: ["app", "print"],
    age: 58,
    audience: "print",
    daily: 11,
    fields: () => ({
      routing_rules: [
        { name: "iPhone", when: { os: ["ios"] }, destination: "https://example.com/app/ios" },
        { name: "Android", when: { os: ["android"] }, destination: "https://example.com/app/android" },
      ],
      preview: {
        title: "Northlight in your pocket",
        description: "Order ahead, collect beans, skip the queue.",
      },
    }),
  },
  {
    code: "blend",
    title: "House blend launch",
    url: `${SHOP}/blend`,
    labels: ["campaign", "social"],
    age: 20,
    audience: "social",
    daily: 8,
    peak: { age: 9, visits: 186 },
    fields: (moment) => ({
      note: "Half of visitors see the page with the video.",
      expires_at: moment(40),
      routing_rules: [
        {
          name: "Landing page",
          when: {},
          split: [
            { name: "Video", destination: `${SHOP}/blend?page=film`, percent: 50 },
            { name: "Photos", destination: `${SHOP}/blend?page=photos`, percent: 50 },
          ],
        },
      ],
    }),
    changes: [{ age: 8, patch: { labels: ["campaign", "social", "press"] } }],
  },
  {
    code: "beans",
    title: "Bean finder",
    url: `${SHOP}/beans`,
    labels: ["packaging"],
    age: 60,
    audience: "print",
    daily: 14,
    fields: () => ({
      routing_rules: [
        { name: "Swiss shop", when: { country: ["CH"] }, destination: "https://example.com/ch/shop/beans" },
        { name: "US shop", when: { country: ["US", "CA"] }, destination: `${SHOP}/beans?ship=us` },
      ],
    }),
  },
  {
    code: "feedback",
    title: "How was your coffee?",
    url: "https://example.com/feedback",
    labels: ["café"],
    age: 44,
    audience: "print",
    daily: 5,
    fields: () => ({
      forward_query: true,
      routing_rules: [
        { name: "Ten percent", when: { percent: 10 }, destination: "https://example.com/feedback/long" },
      ],
    }),
  },
];

/** Links that are protected, limited, scheduled, expired, disabled or archived. */
const BOUNDED: DemoLink[] = [
  {
    code: "tasting",
    title: "Tasting night: 40 seats",
    url: "https://example.com/tasting",
    labels: ["event"],
    age: 16,
    audience: "mail",
    daily: 2,
    peak: { age: 13, visits: 24 },
    fields: () => ({ max_scans: 40, expired_url: "https://example.com/tasting/waiting-list" }),
  },
  {
    code: "early-bird",
    title: "Early bird, 150 coupons",
    url: `${SHOP}/early-bird`,
    labels: ["campaign"],
    age: 8,
    audience: "social",
    daily: 9,
    fields: () => ({ max_scans: 150 }),
    changes: [{ minutesAgo: 20, patch: { labels: ["campaign", "social"] } }],
  },
  {
    code: "wholesale",
    title: "Wholesale prices",
    url: "https://example.com/wholesale",
    labels: ["partner"],
    age: 35,
    audience: "mail",
    daily: 1,
    fields: () => ({ password: "espresso", note: "Demo password: espresso" }),
  },
  {
    code: "sale",
    title: "Clearance sale",
    url: `${SHOP}/sale`,
    labels: ["campaign"],
    age: 75,
    audience: "social",
    daily: 5,
    fields: (moment) => ({ expires_at: moment(-21), expired_url: SHOP }),
  },
  {
    code: "street-fest",
    title: "Street festival",
    url: "https://example.com/street-fest",
    labels: ["event"],
    age: 40,
    audience: "social",
    daily: 7,
    fields: (moment) => ({ expires_at: moment(-5) }),
  },
  {
    code: "birthday",
    title: "Our tenth birthday",
    url: "https://example.com/birthday",
    labels: ["campaign"],
    age: 6,
    audience: "social",
    daily: 2,
    fields: (moment) => ({ starts_at: moment(9), early_url: "https://example.com/soon" }),
  },
  {
    code: "recall",
    title: "Grinder recall form",
    url: "https://example.com/recall",
    labels: ["support"],
    age: 50,
    audience: "mail",
    daily: 1,
    changes: [{ age: 4, patch: { enabled: false } }],
  },
  {
    code: "flyer",
    title: "Flyer, first print",
    url: `${SHOP}?utm_source=flyer`,
    labels: ["print"],
    age: 70,
    audience: "print",
    daily: 1,
    changes: [{ age: 30, patch: { archived: true } }],
  },
  {
    code: "fair",
    title: "Trade fair booth",
    url: "https://example.com/fair",
    labels: ["event", "partner"],
    age: 66,
    audience: "web",
    daily: 1,
    changes: [
      { age: 25, patch: { archived: true, note: "The fair is over; the link stays on printed cards." } },
    ],
  },
  {
    title: "Old loyalty card",
    url: "https://example.com/loyalty",
    labels: ["café"],
    age: 64,
    audience: "print",
    daily: 1,
    changes: [{ age: 15, patch: { archived: true } }],
  },
];

type PlainRow = [
  code: string | null,
  title: string,
  path: string,
  labels: string,
  age: number,
  audience: AudienceName,
  daily: number,
];

const NEWSLETTER = "utm_source=newsletter&utm_medium=email&utm_campaign=news-";

/** Links without special settings, as rows. Labels are separated by spaces. */
const PLAIN_ROWS: PlainRow[] = [
  ["wifi", "Wi-Fi for guests", "wifi", "café print", 61, "print", 10],
  ["hamburg", "Hamburg café", "cafes/hamburg", "café", 59, "web", 7],
  ["berlin", "Berlin café", "cafes/berlin", "café", 59, "web", 9],
  ["jobs", "Open positions", "jobs", "hiring", 48, "web", 4],
  ["barista", "Barista course", "courses/barista", "event", 37, "social", 5],
  ["brew", "Brewing guide", "guides/filter", "packaging", 57, "print", 13],
  ["espresso", "Espresso guide", "guides/espresso", "packaging", 57, "print", 10],
  ["kenya", "Kenya Gatura AA", "coffees/kenya-gatura", "packaging", 33, "print", 5],
  ["ethiopia", "Ethiopia Guji", "coffees/ethiopia-guji", "packaging", 33, "print", 6],
  ["colombia", "Colombia Huila", "coffees/colombia-huila", "packaging", 32, "print", 4],
  ["gift", "Gift cards", "shop/gift", "newsletter", 29, "mail", 4],
  ["subscribe", "Coffee subscription", "shop/subscription", "newsletter social", 54, "mail", 8],
  ["news-45", "Newsletter 45", `journal/roasting-lighter?${NEWSLETTER}45`, "newsletter", 22, "mail", 3],
  ["news-46", "Newsletter 46", `journal/new-roaster?${NEWSLETTER}46`, "newsletter", 9, "mail", 5],
  ["news-47", "Newsletter 47", `journal/tasting-notes?${NEWSLETTER}47`, "newsletter", 2, "mail", 10],
  ["radio", "Radio interview", "press/radio", "press", 18, "web", 2],
  ["press", "Press kit", "press", "press partner", 52, "web", 2],
  ["podcast", "Podcast: from tree to cup", "journal/podcast", "social press", 27, "social", 4],
  ["repair", "Grinder repair", "support/repair", "support", 47, "web", 2],
  ["returns", "Returns", "support/returns", "support packaging", 56, "mail", 2],
  ["map", "Where our coffee grows", "map", "packaging", 42, "social", 3],
  ["photo-wall", "Photo wall", "photos", "social café", 14, "social", 4],
  [
    null,
    "Poster, tram line 4",
    "shop?utm_source=tram&utm_medium=poster&utm_campaign=autumn",
    "print campaign",
    11,
    "print",
    5,
  ],
  [
    null,
    "Receipt, bottom line",
    "shop?utm_source=receipt&utm_medium=print&utm_campaign=autumn",
    "print",
    24,
    "print",
    7,
  ],
  [null, "Sticker on the bike", "cafes?utm_source=bike", "print", 7, "print", 2],
];

const PLAIN: DemoLink[] = PLAIN_ROWS.map(([code, title, path, labels, age, audience, daily]) => ({
  ...(code !== null && { code }),
  title,
  url: `https://example.com/${path}`,
  labels: labels.split(" "),
  age,
  audience,
  daily,
}));

/** All links of the demo workspace. */
export const DEMO_LINKS: readonly DemoLink[] = [...ROUTED, ...BOUNDED, ...PLAIN];
