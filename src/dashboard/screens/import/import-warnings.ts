import type { PlannedRow } from "../../../client/import/plan-import.ts";
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
      text: `The plan “${plan}” has no commands for many links, so nothing can be imported. You can still see what would happen.`,
    },
    features.bulkOps &&
      links.length > left && {
        subject: "month",
        text: `The plan “${plan}” allows ${format(left)} more ${pluralize(left)} this month, and the file would make ${format(links.length)}. The import stops there and can go on next month.`,
      },
    withRules > 0 && {
      subject: "rules",
      text: `${format(withRules)} ${pluralize(withRules)} will fail: the plan “${plan}” has no routing rules.`,
    },
    withControls > 0 && {
      subject: "controls",
      text: `${format(withControls)} ${pluralize(withControls)} will fail: the plan “${plan}” has no scan limits, passwords, previews and addresses after the end.`,
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

function format(count: number): string {
  return count.toLocaleString("en-GB");
}

function pluralize(count: number): string {
  return count === 1 ? "link" : "links";
}
