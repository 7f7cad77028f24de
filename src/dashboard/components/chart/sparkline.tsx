import { drawSparkline } from "./chart-scale.ts";
import css from "./sparkline.module.css";

const WIDTH = 320;
const HEIGHT = 56;

/** Small line chart without axes, shown next to a number that describes it. Hidden from screen readers. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const line = drawSparkline(values, WIDTH, HEIGHT);
  return (
    <svg
      class={css.sparkline}
      data-ui="sparkline"
      viewBox={`0 -3 ${WIDTH} ${HEIGHT + 6}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class={css.area} d={`${line}L${WIDTH} ${HEIGHT + 3}L0 ${HEIGHT + 3}Z`} />
      <path class={css.line} d={line} />
    </svg>
  );
}
