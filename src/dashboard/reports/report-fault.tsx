import { setQuery } from "../address/address.ts";
import { Button } from "../components/button.tsx";
import { FaultNotice, Notice } from "../components/states.tsx";
import type { CallError } from "../data/call-error.ts";
import { asFault } from "../data/calls.ts";
import { clearFilters } from "./scan-filters.ts";

/** Error codes for features or quotas that the plan doesn't include. A retry wouldn't help. */
const OF_PLAN = ["FEATURE_NOT_AVAILABLE", "PLAN_LIMIT_EXCEEDED", "RATE_LIMIT_EXCEEDED"];

/** Explains why a report couldn't be loaded, and what to do about it. */
export function ReportFault({ fault: thrown, onRetry }: { fault: unknown; onRetry: () => void }) {
  const fault = asFault(thrown);
  if (OF_PLAN.includes(fault.code)) {
    return (
      <Notice tone="warn" action={<a href="/settings/usage">View usage</a>}>
        <p>{fault.message}</p>
        <p>Ask your administrator for a larger plan.</p>
      </Notice>
    );
  }
  if (fault.kind !== "invalid") return <FaultNotice fault={fault} onRetry={onRetry} />;
  return (
    <Notice
      tone="warn"
      action={
        <Button size="s" onClick={() => setQuery({ ...clearFilters(), range: null, from: null, to: null })}>
          Show the last 30 days
        </Button>
      }
    >
      <p>{explain(fault)}</p>
    </Notice>
  );
}

/** Explains what is wrong with a range or a filter. */
function explain({ fields, message }: CallError): string {
  const [field] = Object.entries(fields);
  if (field === undefined) return message;
  const [name, text] = field;
  return `${name.replaceAll("_", " ")}: ${text}`;
}
