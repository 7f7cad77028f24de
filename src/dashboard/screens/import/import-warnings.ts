// Pure: no I/O, clock or randomness.
import type { PlannedRow } from "../../../client/import/plan-import.ts";
import { formatCount } from "../../../core/format-count.ts";
import { PLANS } from "../../../tenant/plans.ts";
import type { Schemas } from "../../data/schemas.ts";

/** Limits of the workspace's plan that affect an import. */

/** Reason why some or all links of an import won't be created. */
export interface PlanWarning {
  subject: "bulk" | "month" | "rules" | "controls";
  text: string;
}

type Usage = Pick<Schemas["Usage"], "plan" | "limits" | "usage">;

/** Lists the plan limits that the links to create would exceed. */
export function listPlanWarnings({ plan, limits, usage }: Usage, rows: readonly PlannedRow[]): PlanWarning[] {
  const features = PLANS[plan];
  const links = rows.flatMap((planned) => (planned.state === "create" ? [planned.link] : []));
  const left = Math.max(0, limits.links_per_month - usage.links_created_this_month);
  const withRules = features.routingRules ? 0 : links.filter(hasRules).length;
  const withControls = features.linkControls ? 0 : links.filter(hasControls).length;
  const warnings: (PlanWarning | false)[] = [
    !features.bulkOps && {
      subject: "bulk",
      text: `Your plan (${plan}) doesn't include bulk actions, so you can't import links. You can still preview the file.`,
    },
    features.bulkOps &&
      links.length > left && {
        subject: "month",
        text: `Your plan (${plan}) allows ${formatCount(left, "more link")} this month, but this file would create ${links.length.toLocaleString("en-GB")}. The import will stop at the limit, and you can continue next month.`,
      },
    withRules > 0 && {
      subject: "rules",
      text: `${formatCount(withRules, "link")} will fail because your plan (${plan}) doesn't include routing rules.`,
    },
    withControls > 0 && {
      subject: "controls",
      text: `${formatCount(withControls, "link")} will fail because your plan (${plan}) doesn't include scan limits, passwords, previews or destinations after expiry.`,
    },
  ];
  return warnings.filter((warning) => warning !== false);
}

type NewLink = Schemas["NewLink"];

/**
 * Returns true for links with routing rules that have conditions. Rules without conditions only split
 * visitors, and belong to the link controls.
 */
function hasRules({ routing_rules = [] }: NewLink): boolean {
  return routing_rules.some(({ when }) => when !== undefined);
}

function hasControls({ password, max_scans, expired_url, preview }: NewLink): boolean {
  return [password, max_scans, expired_url, preview].some((value) => value !== undefined && value !== null);
}
