// Pure: no I/O, clock or randomness.
import { PLANS, type Plan } from "../../../tenant/plans.ts";
import type { Schemas } from "../../data/schemas.ts";

/** Computes the usage meters and features of the workspace's plan. */

type Usage = Schemas["Usage"];

/** Usage of a resource that the plan limits. */
export interface Meter {
  name: string;
  /** Null if the API doesn't provide it. */
  used: number | null;
  /** Infinity if there is no limit. */
  limit: number;
  /** True if the count is reset each month. */
  isMonthly: boolean;
  /** True if the values are in MiB. */
  isSize?: boolean;
}

/** Counts that the usage endpoint doesn't return. They are read separately. */
export interface Counts {
  webhooks: number | null;
  domains: number | null;
}

/** Lists the meters of a workspace, starting with those that are reset each month. */
export function listMeters({ plan, usage, limits }: Usage, counts: Counts): Meter[] {
  const monthly = (name: string, used: number, limit: number) => ({ name, used, limit, isMonthly: true });
  const lasting = (name: string, used: number | null, limit: number) => ({
    name,
    used,
    limit,
    isMonthly: false,
  });
  return [
    monthly("Links created", usage.links_created_this_month, limits.links_per_month),
    monthly("API calls", usage.api_calls_this_month, limits.api_calls_per_month),
    {
      ...lasting(
        "Changes today",
        toMebibytes(usage.written_bytes_today),
        toMebibytes(limits.written_bytes_per_day),
      ),
      isSize: true,
    },
    { ...lasting("Storage", usage.storage_mb, limits.storage_mb), isSize: true },
    lasting("Bio pages", usage.total_bio_pages, limits.bio_pages),
    lasting("QR templates", usage.total_qr_templates, limits.qr_templates),
    lasting("Webhook endpoints", counts.webhooks, PLANS[plan].webhookEndpoints),
    lasting("Custom domains", counts.domains, PLANS[plan].domains),
    lasting("Links with a QR code", null, limits.dynamic_qr),
  ];
}

function toMebibytes(bytes: number): number {
  return bytes / 1_048_576;
}

/** Share of a limit from which a meter warns. */
const WARN_SHARE = 0.8;

/** Returns whether the limit is reached, nearly reached, or neither. */
export function judgeMeter({ used, limit }: Pick<Meter, "used" | "limit">): "full" | "warn" | "good" {
  if (used === null || limit === Number.POSITIVE_INFINITY) return "good";
  if (used >= limit) return "full";
  return used >= limit * WARN_SHARE ? "warn" : "good";
}

/** Formats an amount. Sizes are shown in MiB or GiB. */
export function formatAmount(amount: number, isSize = false): string {
  if (amount === Number.POSITIVE_INFINITY) return "no limit";
  if (!isSize) return amount.toLocaleString("en-GB");
  const [value, unit] = amount >= 1_024 ? [amount / 1_024, "GiB"] : [amount, "MiB"];
  return `${Number(value.toFixed(1))} ${unit}`;
}

/** Features that a plan may include. */
const FEATURES: readonly { name: string; has: (plan: Plan) => boolean }[] = [
  { name: "Routing rules by country, language and device", has: (plan) => plan.routingRules },
  { name: "Scan limits, passwords and previews", has: (plan) => plan.linkControls },
  { name: "Bulk actions", has: (plan) => plan.bulkOps },
  { name: "CSV export", has: (plan) => plan.csvExport },
  { name: "Checks of destinations", has: (plan) => plan.destinationWatch },
  { name: "Bio pages without “Made with Signpost”", has: (plan) => plan.adFree },
];

/** Lists all features and whether a plan includes them. */
export function listFeatures(plan: Usage["plan"]): { name: string; isIncluded: boolean }[] {
  return FEATURES.map(({ name, has }) => ({ name, isIncluded: has(PLANS[plan]) }));
}
