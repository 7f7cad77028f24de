import { formatAge, formatMoment } from "./format-moment.ts";

/** Relative time, or the exact date and time with `isExact`. The tooltip shows the other format. */
export function Moment({ iso, isExact }: { iso: string; isExact?: boolean | undefined }) {
  const age = formatAge(iso, Date.now());
  const exact = formatMoment(iso);
  return (
    <time dateTime={iso} title={isExact ? age : exact}>
      {isExact ? exact : age}
    </time>
  );
}
