import { useState } from "preact/hooks";
import { BreakdownList } from "../../components/chart/breakdown-list.tsx";
import { ChartTable } from "../../components/chart/chart-table.tsx";
import type { ChartLine } from "../../components/chart/draw-time-chart.ts";
import { Sparkline } from "../../components/chart/sparkline.tsx";
import { StatRow, StatTile } from "../../components/chart/stat-tile.tsx";
import { ChartLegend, TimeChart } from "../../components/chart/time-chart.tsx";
import { Check } from "../../components/field.tsx";
import { Flag } from "../../components/flag.tsx";
import galleryCss from "./gallery.module.css";
import { Sample } from "./sample.tsx";

const DAYS = Array.from({ length: 14 }, (_, index) => `${index + 1} November`);
const SCANS = [12, 18, 9, 30, 42, 38, 20, 14, 25, 44, 61, 58, 40, 12];
const LINES: ChartLine[] = [
  { name: "Summer sale", kind: "main", values: SCANS },
  { name: "Previous period", kind: "before", values: SCANS.toReversed().map((scans) => scans / 2) },
  { name: "Menu", kind: "other", values: SCANS.map((scans) => Math.round(scans * 0.6 + 8)) },
];
const nothing = () => {};

/** Charts, breakdowns and numbers, with values and while loading. */
export function ChartSamples() {
  const [isTable, setTable] = useState(false);
  return (
    <Sample title="Charts">
      <StatRow>
        <StatTile
          label="Scans"
          value="1,204"
          change={{ text: "12%", direction: "up" }}
          note="Previous period: 1,075"
        />
        <StatTile label="Links" value="9" change={{ text: "3%", direction: "down" }} />
        <StatTile label="Loading" value={undefined} />
      </StatRow>
      <ChartLegend lines={LINES} />
      <TimeChart
        label="Scans of the sample"
        points={DAYS}
        ticks={DAYS.map((day) => day.slice(0, 6))}
        lines={LINES}
        isOpen
        isTable={isTable}
      />
      <Check label="Show as table" isSwitch isChecked={isTable} onChange={setTable} />
      <ChartTable label="Scans of the sample, alone" points={DAYS} lines={LINES} isShown />
      <Sparkline values={SCANS} />
      <div class={galleryCss.columns}>
        <BreakdownList
          label="Countries of the sample"
          items={[
            { value: "DE", text: "Germany", country: "DE", count: 812, isChosen: true },
            { value: "AT", text: "Austria", country: "AT", count: 295 },
            { value: "long", text: "A name that is too long for its column on any narrow window", count: 6 },
          ]}
          total={1_113}
          onChoose={nothing}
        />
        <BreakdownList label="Loading" items={undefined} total={0} />
        <p class="row">
          <Flag country="BR" /> Brazil
        </p>
      </div>
    </Sample>
  );
}
