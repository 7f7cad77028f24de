import { formatMark } from "../../../src/scans/visitor-mark.ts";
import type { Scan } from "../../support/scans.ts";

let seed = 1;

/** Returns a pseudo-random number from 0 to 1 (Mulberry32). The sequence is the same in every run. */
export function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/**
 * Returns a function that draws a number from 0 to n - 1, with the probability of k proportional to 1/(k + 1)
 * (Zipf's law). `n` is at most 65,536.
 */
export function buildZipf(n: number): () => number {
  const table = new Uint16Array(65_536);
  const total = Array.from({ length: n }, (_, k) => 1 / (k + 1)).reduce((sum, share) => sum + share, 0);
  let filled = 0;
  for (let k = 0, sum = 0; k < n; k++) {
    sum += 1 / (k + 1) / total;
    const end = k === n - 1 ? table.length : Math.round(sum * table.length);
    table.fill(k, filled, end);
    filled = Math.max(filled, end);
  }
  return () => table[Math.floor(random() * table.length)] as number;
}

/** Draws a number from 1 to n by Zipf's law for large n: uniformly in the logarithm. */
export function drawRank(n: number): number {
  return Math.min(n, Math.floor((n + 1) ** random()));
}

/** Draws a number of events from a Poisson distribution. */
export function drawPoisson(mean: number): number {
  if (mean > 50)
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * (random() + random() + random() - 1.5) * 2));
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count += 1;
  return count;
}

const drawCountry = buildZipf(200);
const drawRegion = buildZipf(15);
const drawReferrer = buildZipf(800);
const drawLanguage = buildZipf(60);

const AGENTS = [
  ["mobile", "ios", "safari", 30],
  ["mobile", "android", "chrome", 32],
  ["desktop", "windows", "chrome", 14],
  ["desktop", "macos", "safari", 6],
  ["desktop", "macos", "chrome", 5],
  ["desktop", "windows", "edge", 5],
  ["desktop", "linux", "firefox", 2],
  ["tablet", "ios", "safari", 3],
  ["mobile", "android", "samsung", 3],
] as const;

function drawAgent(): (typeof AGENTS)[number] {
  let share = random() * 100;
  for (const agent of AGENTS) {
    share -= agent[3];
    if (share < 0) return agent;
  }
  return AGENTS[0];
}

function letters(index: number): string {
  return String.fromCharCode(65 + (Math.floor(index / 26) % 26), 65 + (index % 26));
}

/**
 * Draws a visitor of a worldwide campaign. Most use the language of their country, and most have no referrer.
 */
export function drawVisitor(): Pick<
  Scan,
  "country" | "region" | "device" | "os" | "browser" | "referrer" | "language"
> {
  const country = letters(drawCountry() * 3);
  const [device, os, browser] = drawAgent();
  const isLocal = random() < 0.8;
  return {
    country,
    region: `${country}-${letters(drawRegion() * 7)}`,
    device,
    os,
    browser,
    referrer: random() < 0.6 ? null : `site-${drawReferrer()}.example`,
    language: isLocal ? `${country.toLowerCase()}-${country}` : letters(drawLanguage()).toLowerCase(),
  };
}

/** Draws the source of a scan: three in ten are of compact QR codes. */
export function drawSource(): Scan["source"] {
  const share = random();
  if (share < 0.3) return "qr";
  return share < 0.35 ? "page" : undefined;
}

/** Draws the UTM parameters of a link's destination. Three links in ten have them. */
export function drawUtm(): Scan["utm"] {
  if (random() >= 0.3) return undefined;
  const channel = Math.floor(random() * 5);
  return {
    utm_source: ["newsletter", "instagram", "google", "partner", "flyer"][channel] as string,
    utm_medium: ["email", "social", "cpc", "referral", "print"][channel] as string,
    utm_campaign: `campaign-2026-${Math.floor(random() * 40)}`,
  };
}

/** Draws a traffic class. One request in ten isn't by a person. */
export function drawTraffic(): NonNullable<Scan["traffic"]> {
  const share = random();
  if (share < 0.9) return "human";
  return share < 0.95 ? "bot" : share < 0.98 ? "preview" : "prefetch";
}

/** Share of scans by a visitor who has scanned the link on the same day. */
const REPEATED = 0.25;

/**
 * Draws a visitor with a mark: one of the visitors in `seen`, or a new one, which is added. Scans by others than
 * people have no mark.
 */
export function drawMarkedVisitor(seen: MarkedVisitor[]): MarkedVisitor {
  if (seen.length > 0 && random() < REPEATED)
    return seen[Math.floor(random() * seen.length)] as MarkedVisitor;
  const traffic = drawTraffic();
  const visitor = formatMark(Uint8Array.from({ length: 4 }, () => Math.floor(random() * 256)));
  const drawn = { ...drawVisitor(), traffic, ...(traffic === "human" && { visitor }) };
  seen.push(drawn);
  return drawn;
}

export type MarkedVisitor = ReturnType<typeof drawVisitor> & Pick<Scan, "traffic" | "visitor">;
