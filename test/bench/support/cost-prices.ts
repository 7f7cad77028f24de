/** Date of the prices below. */
export const PRICES_AT = "2026-11-21";

/** Price of a resource on the Workers Paid plan, in US dollars per month. */
interface Price {
  /** Amount included in the plan. */
  included: number;
  /** US dollars per unit beyond that. */
  perUnit: number;
  unit: number;
}

const MILLION = 1e6;

/**
 * Prices of the resources that scans, links and deliveries use. Sources:
 * https://developers.cloudflare.com/workers/platform/pricing/, …/d1/platform/pricing/,
 * …/queues/platform/pricing/, …/durable-objects/platform/pricing/ and …/analytics/analytics-engine/pricing/.
 */
export const PRICES = {
  "Workers requests": { included: 10 * MILLION, perUnit: 0.3, unit: MILLION },
  "Workers CPU, ms": { included: 30 * MILLION, perUnit: 0.02, unit: MILLION },
  "Queues operations": { included: MILLION, perUnit: 0.4, unit: MILLION },
  "D1 rows written": { included: 50 * MILLION, perUnit: 1, unit: MILLION },
  "D1 rows read": { included: 25_000 * MILLION, perUnit: 0.001, unit: MILLION },
  "D1 storage, GB": { included: 5, perUnit: 0.75, unit: 1 },
  "Durable Object requests": { included: MILLION, perUnit: 0.15, unit: MILLION },
  "Analytics Engine points": { included: 10 * MILLION, perUnit: 0.25, unit: MILLION },
} satisfies Record<string, Price>;

export type Resource = keyof typeof PRICES;

/** Monthly price of the Workers Paid plan in US dollars. */
export const PLAN_DOLLARS = 5;

/** Returns the monthly price of an amount in US dollars. */
export function priceAmount(resource: Resource, amount: number): number {
  const { included, perUnit, unit } = PRICES[resource];
  return (Math.max(0, amount - included) / unit) * perUnit;
}

/** Returns the price of amounts in US dollars when the included amounts are already used up. */
export function priceMore(amounts: Partial<Record<Resource, number>>): number {
  return Object.entries(amounts).reduce((sum, [resource, amount]) => {
    const { perUnit, unit } = PRICES[resource as Resource];
    return sum + (amount / unit) * perUnit;
  }, 0);
}
