import { Skeleton } from "../../components/states.tsx";
import { type DeliveryStatus, describeDeliveries, MARKS_MAX } from "./delivery-health.ts";
import css from "./health-marks.module.css";

/**
 * Row of small marks for the last deliveries, newest on the right. Their colour and height show the status.
 */
export function HealthMarks({ statuses }: { statuses: readonly DeliveryStatus[] | undefined }) {
  if (statuses === undefined) {
    return (
      <span class={css.marks}>
        <Skeleton width="w-9" />
      </span>
    );
  }
  const text = describeDeliveries(statuses);
  const shown = statuses.slice(0, MARKS_MAX).reverse();
  return (
    <span class={css.marks} role="img" aria-label={text} title={text}>
      {Array.from({ length: MARKS_MAX - shown.length }, (_, index) => (
        <i key={`none-${index}`} data-status="none" />
      ))}
      {shown.map((status, index) => (
        <i key={`${index}`} data-status={status} />
      ))}
    </span>
  );
}
