import { buildBars } from "./visit-days.ts";
import visitsCss from "./visits.module.css";

const WIDTH = 300;
const HEIGHT = 72;
const GAP = 1;

interface VisitChartProps {
  title: string;
  points: readonly { date: string; count: number }[];
  total: number;
}

/** Bar chart of daily counts, with a table for screen readers. */
export function VisitChart({ title, points, total }: VisitChartProps) {
  const bars = buildBars(points);
  const step = WIDTH / Math.max(1, bars.length);
  const first = bars[0]?.date;
  return (
    <figure class={visitsCss.visitFigure}>
      <figcaption class="row">
        <h2 class={visitsCss.title}>{title}</h2>
        <b class="push numeric">{total.toLocaleString("en-GB")}</b>
      </figcaption>
      <svg
        class={visitsCss.visitChart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} by day`}
      >
        {bars.map(({ date, count, height }, index) => (
          <rect
            key={date}
            x={index * step + GAP / 2}
            width={Math.max(1, step - GAP)}
            y={HEIGHT - Math.max(1, height * HEIGHT)}
            height={Math.max(1, height * HEIGHT)}
            rx={1}
            data-empty={count === 0 || undefined}
          >
            <title>{`${formatDay(date)}: ${count}`}</title>
          </rect>
        ))}
      </svg>
      <div class="row small muted" aria-hidden="true">
        <span>{first === undefined ? "" : formatDay(first)}</span>
        <span class="push">Today</span>
      </div>
      <table class="visually-hidden">
        <caption>{title} by day</caption>
        <tbody>
          {bars.map(({ date, count }) => (
            <tr key={date}>
              <th scope="row">{formatDay(date)}</th>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function formatDay(date: string): string {
  return new Date(`${date}T12:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}
