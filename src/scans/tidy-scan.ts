// Pure: no I/O, clock or randomness.
import { memoize } from "../core/memo.ts";
import { WITHOUT_VALUE } from "./dimensions.ts";
import type { ScanFacts } from "./scan-facts.ts";

/** Maximum length of a referrer host. Bounds the size that a header can add to a batch, which D1 limits. */
const REFERRER_MAX_LENGTH = 100;
const LANGUAGE = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-|$)/i;
const REGION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;
const COUNTRY = /^[A-Z]{2}$/;

/** Facts of a visitor that scans and bio page visits share. */
type VisitFacts = Pick<
  ScanFacts,
  "country" | "region" | "device" | "os" | "browser" | "referrer" | "language"
>;

/** Replaces all values that aren't valid in their dimension by null, because headers can contain anything. */
export function tidyScan(scan: ScanFacts): ScanFacts {
  const { country, region, referrer, language } = tidyVisit(scan);
  const rule = scan.rule === WITHOUT_VALUE.rule ? null : scan.rule;
  return { ...scan, country, region, referrer, language, rule };
}

/** Like {@link tidyScan}, for the facts of a visitor. */
export function tidyVisit({
  country,
  region,
  device,
  os,
  browser,
  referrer,
  language,
}: VisitFacts): VisitFacts {
  return {
    country: country !== null && COUNTRY.test(country) ? country : null,
    region: region !== null && REGION.test(region) ? region : null,
    device,
    os,
    browser,
    referrer: referrer !== null && isReferrer(referrer) ? referrer : null,
    language: language === null ? null : tidyLanguage(language),
  };
}

function isReferrer(host: string): boolean {
  return host.length <= REFERRER_MAX_LENGTH && host !== WITHOUT_VALUE.referrer;
}

/**
 * Reduces a language tag to primary language and region (`zh-hant-tw` to `zh-TW`), so that breakdowns have
 * few values. Memoized, because most visitors have one of a few languages.
 */
const tidyLanguage = memoize((tag: string): string | null => {
  const [, primary, region] = LANGUAGE.exec(tag) ?? [];
  if (primary === undefined) return null;
  return region === undefined ? primary.toLowerCase() : `${primary.toLowerCase()}-${region.toUpperCase()}`;
});
