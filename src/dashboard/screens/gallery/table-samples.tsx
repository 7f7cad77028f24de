import { useState } from "preact/hooks";
import { Badge } from "../../components/badge.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Sample } from "./sample.tsx";

interface SampleRow {
  name: string;
  scans: number;
}

const ROWS: SampleRow[] = [
  { name: "summer-sale", scans: 1_204 },
  { name: "menu", scans: 87 },
  { name: "a-very-long-code-that-does-not-fit-into-its-column-on-any-narrow-window", scans: 0 },
];
const COLUMNS: Column<SampleRow>[] = [
  { name: "name", header: "Link", layout: "grow", cell: ({ name }) => <span class="one-line">{name}</span> },
  { name: "state", header: "Status", layout: "more", cell: () => <Badge tone="good">Active</Badge> },
  {
    name: "scans",
    header: "Scans",
    layout: "fit end more numeric",
    sort: "scans",
    cell: ({ scans }) => scans,
  },
];

/** Tables, with rows and while loading. */
export function TableSamples() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(["menu"]));
  const shared = {
    columns: COLUMNS,
    getKey: ({ name }: SampleRow) => name,
    getName: ({ name }: SampleRow) => name,
  };
  return (
    <Sample title="Tables">
      <div class={dataTableCss.frame}>
        <DataTable
          {...shared}
          label="Sample"
          rows={ROWS}
          selection={{ chosen, onChange: setChosen }}
          order={{ sort: "scans", onSort: () => {} }}
        />
      </div>
      <div class={dataTableCss.frame}>
        <DataTable {...shared} label="Sample (loading)" rows={undefined} />
      </div>
    </Sample>
  );
}
