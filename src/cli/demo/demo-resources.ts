import { DAY_MS, MINUTE_MS } from "../../core/time.ts";
import type { AttemptOutcome } from "../../webhooks/attempt.ts";

/** Files, QR templates, endpoints, domains and members of the demo workspace. */

/** Members of the demo workspace besides its owner. */
export const DEMO_MEMBERS = [
  { email: "mira@demo.example", name: "Mira Sand", role: "editor" },
  { email: "jon@demo.example", name: "Jon Falk", role: "viewer" },
] as const;

/**
 * Returns the domains. The subdomain of the local short domain is active immediately. The other domain
 * waits for its DNS record.
 */
export const DEMO_DOMAINS = (shortHost: string) => [
  { hostname: `northlight.${shortHost}`, age: 27, root_url: "https://example.com/" },
  { hostname: "go.northlight.example", age: 1 },
];

/** File of the workspace. */
export interface DemoFile {
  filename: string;
  mime_type: string;
  tags: string[];
  age: number;
  isPublic: boolean;
  /** Returns the content. `images` has the files of the folder `files` as Base64, by name. */
  read(images: Record<string, string>): Uint8Array<ArrayBuffer>;
}

const readImage = (name: string) => (images: Record<string, string>) =>
  Uint8Array.from(atob(images[name] ?? ""), (byte) => byte.charCodeAt(0));
const encodeText = (text: string) => () => new Uint8Array(new TextEncoder().encode(text));

const PRICE_LIST = `coffee,250 g,1 kg
House blend,9.50,34.00
Kenya Gatura AA,13.00,47.00
Ethiopia Guji,12.50,45.00
Colombia Huila,11.00,39.50
`;

/** Files of the workspace. */
export const DEMO_FILES: readonly DemoFile[] = [
  {
    filename: "logo.png",
    mime_type: "image/png",
    tags: ["brand"],
    age: 29,
    isPublic: true,
    read: readImage("logo.png"),
  },
  {
    filename: "cover.png",
    mime_type: "image/png",
    tags: ["brand", "social"],
    age: 29,
    isPublic: true,
    read: readImage("cover.png"),
  },
  {
    filename: "wholesale-prices.csv",
    mime_type: "text/csv",
    tags: ["partner"],
    age: 17,
    isPublic: false,
    read: encodeText(PRICE_LIST),
  },
];

/** QR templates of the workspace. `file` returns the URL of a published file by its name. */
export const DEMO_TEMPLATES = [
  {
    name: "Tables",
    description: "Menus and table cards, 2 cm and larger",
    age: 26,
    design: (file: (name: string) => string) => ({
      foreground_color: "#14433b",
      background_color: "#fbf7ec",
      dot_style: "rounded",
      corner_style: "extra-rounded",
      error_correction: "H",
      logo_url: file("logo.png"),
      logo_size: 0.22,
    }),
  },
  {
    name: "Packaging",
    description: "One colour, for kraft paper",
    age: 25,
    design: () => ({
      foreground_color: "#3b2417",
      dot_style: "classy",
      corner_style: "rounded",
      error_correction: "Q",
    }),
  },
  {
    name: "Posters",
    description: "Round dots, readable from across the street",
    age: 10,
    design: () => ({
      foreground_color: "#0f2f57",
      corner_color: "#8a3b12",
      dot_style: "dots",
      corner_style: "dot",
      error_correction: "M",
    }),
  },
];

/** Response of an endpoint to a delivery attempt, without its time. */
type DemoResponse = Omit<AttemptOutcome, "attemptedAtMs">;

/** Webhook endpoint of the workspace and its responses. */
export interface DemoEndpoint {
  /** Path on the server that receives the deliveries. */
  path: string;
  description: string;
  events: string[];
  age: number;
  /** Returns the response to an attempt. `agoMs` is the time since then. `attempt` counts from 1. */
  respond(agoMs: number, attempt: number): DemoResponse;
}

const OK: DemoResponse = {
  latencyMs: 184,
  succeeded: true,
  responseStatus: 200,
  error: null,
  responseBody: '{"ok":true}',
};
const OVERLOADED: DemoResponse = {
  latencyMs: 1_203,
  succeeded: false,
  responseStatus: 503,
  error: null,
  responseBody: "upstream connect error or disconnect/reset before headers",
};
const TIMED_OUT: DemoResponse = {
  latencyMs: 10_002,
  succeeded: false,
  responseStatus: null,
  responseBody: null,
  error: "timeout: no response within 10 seconds",
};

/**
 * Periods, given as times before now. In `OUTAGE`, the shop was down so long that deliveries failed for
 * good. In `SLOW_DAYS`, it only responded after `SLOW_ATTEMPTS` attempts.
 */
const OUTAGE = { fromMs: 10 * DAY_MS, untilMs: 8 * DAY_MS };
const SLOW_DAYS = { fromMs: 25 * DAY_MS, untilMs: 19 * DAY_MS };
const SLOW_ATTEMPTS = 2;
const isWithin = ({ fromMs, untilMs }: typeof OUTAGE, agoMs: number) => agoMs < fromMs && agoMs > untilMs;
/** Duration of the outage of the endpoint `archive` before the first start. */
const SILENT_MS = 90 * MINUTE_MS;

/** Webhook endpoints of the workspace. From the first start on, a server on this machine accepts their deliveries. */
export const DEMO_ENDPOINTS: readonly DemoEndpoint[] = [
  {
    path: "/shop",
    description: "Shop: syncs campaigns",
    age: 28,
    events: ["link.created", "link.updated", "bio.published", "asset.published"],
    respond(agoMs, attempt) {
      if (isWithin(OUTAGE, agoMs)) return OVERLOADED;
      return isWithin(SLOW_DAYS, agoMs) && attempt <= SLOW_ATTEMPTS ? TIMED_OUT : OK;
    },
  },
  {
    path: "/archive",
    description: "Archive of all changes",
    age: 15,
    events: ["link.created", "link.updated", "link.deleted", "asset.uploaded"],
    respond: (agoMs) => (agoMs < SILENT_MS ? TIMED_OUT : { ...OK, latencyMs: 412 }),
  },
];
