import { formatAge, formatMoment } from "./format-moment.ts";

/** Time of something: how long ago it was, or the date and the time. The other one appears when it is hovered. */
export function Moment({ iso, isExact }: { iso: string; isExact?: boolean | undefined }) {
  const age = formatAge(iso, Date.now());
  const exact = formatMoment(iso);
  return (
    <time dateTime={iso} title={isExact ? age : exact}>
      {isExact ? exact : age}
    </time>
  );
}
