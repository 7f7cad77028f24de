import { WITHOUT_VALUE } from "./dimensions.ts";
import type { ScanFacts } from "./scan-facts.ts";

/** Maximum length of a referrer host. It bounds what a header can add to a batch, which D1 limits in size. */
const REFERRER_MAX_LENGTH = 100;
const LANGUAGE = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-|$)/i;
const REGION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;
const COUNTRY = /^[A-Z]{2}$/;

/** Returns the facts with null for every value that is not valid in its dimension: headers can hold anything. */
export function tidyScan(scan: ScanFacts): ScanFacts {
  const { country, region, referrer, language, rule } = scan;
  return {
    ...scan,
    country: country !== null && COUNTRY.test(country) ? country : null,
    region: region !== null && REGION.test(region) ? region : null,
    referrer: referrer !== null && isReferrer(referrer) ? referrer : null,
    language: language === null ? null : tidyLanguage(language),
    rule: rule === WITHOUT_VALUE.rule ? null : rule,
  };
}

function isReferrer(host: string): boolean {
  return host.length <= REFERRER_MAX_LENGTH && host !== WITHOUT_VALUE.referrer;
}

/** Reduces a tag to primary language and region (`zh-hant-tw` to `zh-TW`), so that breakdowns have few values. */
function tidyLanguage(tag: string): string | null {
  const [, primary, region] = LANGUAGE.exec(tag) ?? [];
  if (primary === undefined) return null;
  return region === undefined ? primary.toLowerCase() : `${primary.toLowerCase()}-${region.toUpperCase()}`;
}
