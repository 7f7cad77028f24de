import type { ImportSummary } from "../../../client/import/run-import.ts";
import type { Totals } from "./plan-lines.ts";

/** Text shown for the end of an import. */
export interface SummaryWords {
  title: string;
  /** Next step for the user, or an empty string. */
  text: string;
  tone: "good" | "warn" | "danger";
}

/** Describes how an import ended. */
export function describeSummary(totals: Totals, { stop }: Pick<ImportSummary, "stop">): SummaryWords {
  const made = `${count(totals.created, "link was", "links were")} made`;
  const left = totals.create;
  if (stop?.kind === "aborted") {
    const rest = `${count(left, "row is", "rows are")} left. Nothing is made twice when you go on, now or with the same file later.`;
    return { title: `Stopped: ${made}`, text: rest, tone: "warn" };
  }
  if (stop?.kind === "refused")
    return { title: `The import ended early: ${made}`, text: describeRefusal(stop.error), tone: "danger" };
  if (stop?.kind === "conflicts") {
    const text = "Rows are in conflict, and you chose to make nothing then.";
    return { title: "Nothing was imported", text, tone: "danger" };
  }
  if (totals.failed > 0) {
    const text = "The rows that failed say why. The report has all of them.";
    return { title: `${made}, ${totals.failed.toLocaleString("en-GB")} failed`, text, tone: "warn" };
  }
  return { title: totals.created === 0 ? "Nothing was left to make" : made, text: "", tone: "good" };
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
  if (status === 0) return "There is no connection. Go on when you are back online: nothing is made twice.";
  if (status === 401) return "Your session has ended. Sign in again in another tab, then go on here.";
  if (code === "PLAN_LIMIT_EXCEEDED")
    return `${text} Go on next month, or with a larger plan: import the same file again.`;
  return text;
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;
}
