import { ImportFormatError } from "../../../client/import/import-row.ts";
import { TargetError } from "../../../client/import/import-target.ts";
import { FaultNotice, Notice } from "../../components/states.tsx";
import { createOfflineFault, parseFault } from "../../data/call-error.ts";

interface PlanFaultProps {
  fault: unknown;
  onRetry?: (() => void) | undefined;
}

/** Error of an import: what is wrong with the file, or which call to the API failed. */
export function PlanFaultNotice({ fault, onRetry }: PlanFaultProps) {
  if (!(fault instanceof ImportFormatError))
    return <FaultNotice fault={fault instanceof TargetError ? toApiFault(fault) : fault} onRetry={onRetry} />;
  const { message } = fault;
  return (
    <Notice tone="danger">
      <p>
        <b>Can't read this file</b>
      </p>
      <p>
        {message.charAt(0).toUpperCase()}
        {message.slice(1)}.
      </p>
    </Notice>
  );
}

function toApiFault({ status, code, message }: TargetError): Error {
  return status === 0
    ? createOfflineFault()
    : parseFault({ status, body: { error: { code, message } }, retryAfter: null });
}
