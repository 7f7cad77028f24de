import { joinClasses } from "../button.tsx";
import css from "./chart-table.module.css";
import type { ChartLine } from "./draw-time-chart.ts";

interface ChartTableProps {
  label: string;
  points: readonly string[];
  lines: readonly ChartLine[];
  /** Shows the table on screen. Otherwise it is only visible to screen readers. */
  isShown: boolean | undefined;
}

/** Chart values as a table, newest first. */
export function ChartTable({ label, points, lines, isShown }: ChartTableProps) {
  const rows = points.map((point, index) => ({ point, index })).reverse();
  return (
    <section
      class={joinClasses(isShown ? css.table : "visually-hidden")}
      aria-label={`${label} (table)`}
      tabIndex={isShown ? 0 : undefined}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col" class={css.end}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ point, index }) => (
            <tr key={index}>
              <th scope="row">{point}</th>
              {lines.map(({ name, values }) => (
                <td key={name} class={`numeric ${css.end}`}>
                  {values[index]?.toLocaleString("en-GB") ?? "–"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
