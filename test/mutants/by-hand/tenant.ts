import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/tenant/own-hosts.ts",
    ["unit/own-hosts", "unit/env"],
    [", settings.appHost].includes(hostname)) return false;", "].includes(hostname)) return false;"],
    ["isClickUrl(settings, url) ||", "isClickUrl(settings, url) &&"],
  ),
  ...mutate(
    "src/tenant/request-origin.ts",
    "unit/request-origin",
    ["deriveUuid(origin.requestId, ordinal)", "deriveUuid(origin.requestId, 0)"],
    ["return await find(tenant, id);", "return await find(tenant, deriveId(tenant));"],
    ["return await find(tenant, id);", "return find(tenant, id);"],
  ),
  ...mutate(
    "src/tenant/usage.ts",
    "unit/usage",
    ['COUNTED[resource].monthly ? formatBillingCycle(tenant.nowMs) : ""', '""'],
    ['COUNTED[resource].monthly ? formatBillingCycle(tenant.nowMs) : ""', "formatBillingCycle(tenant.nowMs)"],
    ['isCheckViolation(error, "plan_cap")', 'isCheckViolation(error, "plan")'],
    ["isPlanExceeded(error) ? createPlanLimitError(tenant, resource) : error", "error"],
    [
      "isPlanExceeded(error) ? createPlanLimitError(tenant, resource) : error",
      "createPlanLimitError(tenant, resource)",
    ],
  ),
  ...mutate(
    "src/tenant/usage.ts",
    "worker/bulk",
    ["${usageCounters.used} + excluded.used`, cap", "excluded.used`, cap"],
    ["max(0, ${getPlanCap(tenant, resource)} - coalesce(${used}, 0))", "${getPlanCap(tenant, resource)}"],
    [
      "and ${usageCounters.cycle} = ${getUsageCycle(tenant, resource)})`",
      "and ${usageCounters.cycle} = '')`",
    ],
  ),
  ...mutate(
    "src/tenant/usage.ts",
    "worker/webhooks",
    ["excluded.used`, cap },", "excluded.used` },"],
    ["${usageCounters.used} - ${amount}", "${usageCounters.used}"],
  ),
  ...mutate(
    "src/tenant/own-hosts.ts",
    "unit/own-hosts",
    ['isOwnPort ? normalizeHostname(url.hostname) : ""', 'isOwnPort ? url.hostname : ""'],
    ["normalizeHostname(url.hostname) === settings.bioHost", "url.hostname === settings.bioHost"],
  ),
];
