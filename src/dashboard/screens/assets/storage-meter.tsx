import { formatBytes } from "../../../core/byte-size.ts";
import { Progress } from "../../components/progress.tsx";
import type { Schemas } from "../../data/calls.ts";
import css from "./storage-meter.module.css";

const MEBIBYTE_BYTES = 1_048_576;

/** Meter of the storage used. Plans without a storage limit have a limit of 0 or less, and show no bar. */
export function StorageMeter({ usage }: { usage: Schemas["Usage"] | undefined }) {
  if (usage === undefined) return <div class={css.storage} aria-busy="true" />;
  const used = usage.usage.storage_bytes;
  const limit = usage.limits.storage_mb * MEBIBYTE_BYTES;
  return (
    <div class={css.storage}>
      <span class="small numeric">
        {limit > 0 ? `${formatBytes(used)} of ${formatBytes(limit)} used` : `${formatBytes(used)} used`}
      </span>
      {limit > 0 && <Progress label="Storage used" done={Math.min(used, limit)} total={limit} />}
    </div>
  );
}
