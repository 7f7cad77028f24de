import { type Mutant, mutate } from "../by-hand.ts";

const OWN_HOSTS = "test/unit/own-hosts.test.ts";
const ENV = "test/unit/env.test.ts";
const REQUEST_ORIGIN = "test/unit/request-origin.test.ts";
const USAGE = "test/unit/usage.test.ts";
const BULK = "test/worker/bulk.test.ts";
const WEBHOOKS = "test/worker/webhooks.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/tenant/own-hosts.ts",
    [OWN_HOSTS, ENV],
    [", settings.appHost].includes(hostname)) return false;", "].includes(hostname)) return false;"],
    ["isClickUrl(settings, url) ||", "isClickUrl(settings, url) &&"],
  ),
  ...mutate(
    "src/tenant/request-origin.ts",
    REQUEST_ORIGIN,
    ["deriveUuid(origin.requestId, ordinal)", "deriveUuid(origin.requestId, 0)"],
    ["return await find(tenant, id);", "return await find(tenant, deriveId(tenant));"],
    ["return await find(tenant, id);", "return find(tenant, id);"],
  ),
  ...mutate(
    "src/tenant/usage.ts",
    USAGE,
    ['COUNTED[resource].monthly ? formatBillingCycle(tenant.nowMs) : ""', '""'],
    ['COUNTED[resource].monthly ? formatBillingCycle(tenant.nowMs) : ""', "formatBillingCycle(tenant.nowMs)"],
    ["plan.linksPerMonth, monthly: true", "plan.linksPerMonth, monthly: false"],
    ["plan.dynamicQr, monthly: false", "plan.dynamicQr, monthly: true"],
    ['isCheckViolation(error, "plan_cap")', 'isCheckViolation(error, "plan")'],
    ['resource === "storage_bytes" ? formatBytes(cap) : cap', "cap"],
    ["isPlanExceeded(error) ? createPlanLimitError(tenant, resource) : error", "error"],
    [
      "isPlanExceeded(error) ? createPlanLimitError(tenant, resource) : error",
      "createPlanLimitError(tenant, resource)",
    ],
  ),
  ...mutate(
    "src/tenant/usage.ts",
    BULK,
    ["${usageCounters.used} + excluded.used`, cap", "excluded.used`, cap"],
    ["max(0, ${getPlanCap(tenant, resource)} - coalesce(${used}, 0))", "${getPlanCap(tenant, resource)}"],
    [
      "and ${usageCounters.cycle} = ${getUsageCycle(tenant, resource)})`",
      "and ${usageCounters.cycle} = '')`",
    ],
  ),
  ...mutate(
    "src/tenant/usage.ts",
    WEBHOOKS,
    ["excluded.used`, cap },", "excluded.used` },"],
    ["${usageCounters.used} - ${amount}", "${usageCounters.used}"],
  ),
  ...mutate(
    "src/tenant/own-hosts.ts",
    OWN_HOSTS,
    ['isOwnPort ? normalizeHostname(url.hostname) : ""', 'isOwnPort ? url.hostname : ""'],
    ["normalizeHostname(url.hostname) === settings.bioHost", "url.hostname === settings.bioHost"],
  ),
];
