// Pure: no I/O, clock or randomness.
import type { ImportSummary } from "../../../client/import/run-import.ts";
import { formatCount } from "../../../core/format-count.ts";
import type { Totals } from "./plan-lines.ts";

/** Text shown for the end of an import. */
export interface SummaryTexts {
  title: string;
  /** Next step for the user, or an empty string. */
  text: string;
  tone: "good" | "warn" | "danger";
}

/** Describes how an import ended. */
export function describeSummary(totals: Totals, { stop }: Pick<ImportSummary, "stop">): SummaryTexts {
  const made = `${formatCount(totals.created, "link")} imported`;
  const left = totals.create;
  if (stop?.kind === "aborted") {
    const rest = `${formatCount(left, "row")} left. Continue now, or import the same file again later. No link is imported twice.`;
    return { title: `Import stopped: ${made}`, text: rest, tone: "warn" };
  }
  if (stop?.kind === "refused")
    return { title: `Import stopped early: ${made}`, text: describeRefusal(stop.error), tone: "danger" };
  if (stop?.kind === "conflicts") {
    const text = "Some rows have conflicts, and you chose to import nothing in that case.";
    return { title: "Nothing was imported", text, tone: "danger" };
  }
  if (totals.failed > 0) {
    const text = "Failed rows show the reason. Download the report for the full list.";
    return { title: `${made}, ${totals.failed.toLocaleString("en-GB")} failed`, text, tone: "warn" };
  }
  return { title: totals.created === 0 ? "Nothing left to import" : made, text: "", tone: "good" };
}

/** Explains why the API refused to create more links, and what the user can do. */
function describeRefusal({
  status,
  code,
  message,
}: {
  status: number;
  code: string;
  message: string;
}): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
  if (status === 0) return "You're offline. Continue when you're back online. No link is imported twice.";
  if (status === 401) return "Your session has ended. Sign in again in another tab, then continue here.";
  if (code === "PLAN_LIMIT_EXCEEDED")
    return `${text} Import the same file again next month or on a larger plan.`;
  return text;
}
