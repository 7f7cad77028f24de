// Pure: no I/O, clock or randomness.

/** Limits and features of a plan. `Infinity` means unlimited. */
export interface Plan {
  /** API calls of a workspace per billing cycle. 0 if the plan doesn't include the API. */
  apiCallsPerMonth: number;
  /** Capacity of each key's token bucket, and its refill per second. */
  burstPerSecond: number;
  linksPerMonth: number;
  /** Number of links whose QR code has been rendered at least once. */
  dynamicQr: number;
  bioPages: number;
  qrTemplates: number;
  storageMb: number;
  webhookEndpoints: number;
  /** Number of domains that the workspace added through the API. */
  domains: number;
  /** Number of shared reports that haven't expired. */
  sharedReports: number;
  /** Maximum number of pending webhook deliveries, waiting for their first attempt or a retry. */
  waitingDeliveries: number;
  /** Bytes that the changes of a day may write, see `tenant/write-budget.ts`. */
  writtenBytesPerDay: number;
  routingRules: boolean;
  /** Fields of links that restrict visitors or redirect them elsewhere, and rules that split all visitors. */
  linkControls: boolean;
  csvExport: boolean;
  bulkOps: boolean;
  adFree: boolean;
  /** Checks of the destinations of links with recent scans. */
  destinationWatch: boolean;
}

/** Plans of the deployment. Self-hosters edit this table; no other file repeats its numbers. */
export const PLANS = {
  free: {
    apiCallsPerMonth: 0,
    burstPerSecond: 0,
    linksPerMonth: 25,
    dynamicQr: 5,
    bioPages: 1,
    qrTemplates: 1,
    storageMb: 50,
    webhookEndpoints: 0,
    domains: 0,
    sharedReports: 3,
    waitingDeliveries: 0,
    writtenBytesPerDay: 5_000_000,
    routingRules: false,
    linkControls: false,
    csvExport: false,
    bulkOps: false,
    adFree: false,
    destinationWatch: false,
  },
  pro: {
    apiCallsPerMonth: 1_000,
    burstPerSecond: 10,
    linksPerMonth: 1_000,
    dynamicQr: 500,
    bioPages: 10,
    qrTemplates: 20,
    storageMb: 1_024,
    webhookEndpoints: 3,
    domains: 1,
    sharedReports: 50,
    waitingDeliveries: 10_000,
    writtenBytesPerDay: 50_000_000,
    routingRules: false,
    linkControls: true,
    csvExport: true,
    bulkOps: true,
    adFree: true,
    destinationWatch: true,
  },
  business: {
    apiCallsPerMonth: 25_000,
    burstPerSecond: 50,
    linksPerMonth: 25_000,
    dynamicQr: 10_000,
    bioPages: 100,
    qrTemplates: 200,
    storageMb: 10_240,
    webhookEndpoints: 20,
    domains: 10,
    sharedReports: 200,
    waitingDeliveries: 100_000,
    writtenBytesPerDay: 250_000_000,
    routingRules: true,
    linkControls: true,
    csvExport: true,
    bulkOps: true,
    adFree: true,
    destinationWatch: true,
  },
  enterprise: {
    apiCallsPerMonth: 100_000,
    burstPerSecond: 200,
    linksPerMonth: 250_000,
    dynamicQr: 100_000,
    bioPages: 1_000,
    qrTemplates: 2_000,
    storageMb: 102_400,
    webhookEndpoints: Number.POSITIVE_INFINITY,
    domains: 100,
    sharedReports: 1_000,
    waitingDeliveries: 1_000_000,
    writtenBytesPerDay: 1_000_000_000,
    routingRules: true,
    linkControls: true,
    csvExport: true,
    bulkOps: true,
    adFree: true,
    destinationWatch: true,
  },
} as const satisfies Record<string, Plan>;

export type PlanName = keyof typeof PLANS;

export const PLAN_NAMES = Object.keys(PLANS) as PlanName[];

/** Feature that a plan includes or not. */
export type Feature =
  | "routingRules"
  | "linkControls"
  | "csvExport"
  | "bulkOps"
  | "adFree"
  | "destinationWatch";

export function hasFeature(plan: PlanName, feature: Feature): boolean {
  return PLANS[plan][feature];
}

/**
 * Returns the plan's maximum number of pending deliveries. Unlimited becomes the largest integer that the
 * database can store.
 */
export function getWaitingCap(plan: PlanName): number {
  return Math.min(PLANS[plan].waitingDeliveries, Number.MAX_SAFE_INTEGER);
}
