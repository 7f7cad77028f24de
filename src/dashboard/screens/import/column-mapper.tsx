import { useState } from "preact/hooks";
import type { ColumnField, ColumnMap } from "../../../client/import/column-map.ts";
import { Button } from "../../components/button.tsx";
import fieldCss from "../../components/field.module.css";
import { Select } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import sectionCss from "../../components/section.module.css";
import {
  FIELD_TEXTS,
  FIELDS,
  findSample,
  isMainField,
  listUnusedColumns,
  mapField,
} from "./column-choices.ts";
import css from "./column-mapper.module.css";
import type { FileColumns } from "./import-engine.ts";

interface ColumnMapperProps {
  columns: FileColumns;
  onChange: (map: ColumnMap) => void;
}

/** Form that assigns columns of the file to fields of a link. The first guess is based on column names. */
export function ColumnMapper({ columns, onChange }: ColumnMapperProps) {
  const { header, map } = columns;
  const unused = listUnusedColumns(columns);
  const [isComplete, setComplete] = useState(false);
  const fields = FIELDS.filter((field) => isComplete || isMainField(field) || map[field] !== undefined);
  const choices = [
    { value: "", label: "Not in this file" },
    ...[...new Set(header)].map((name) => ({ value: name, label: name === "" ? "(unnamed)" : name })),
  ];
  const field = (name: ColumnField) => (
    <Select
      key={name}
      label={FIELD_TEXTS[name]}
      value={map[name] ?? ""}
      choices={choices}
      hint={showSample(findSample(columns, name))}
      error={
        name === "url" && map.url === undefined
          ? "Choose the column that contains the destination URLs."
          : undefined
      }
      onChange={(column) => onChange(mapField(map, name, column))}
    />
  );
  // Open if the destination column wasn't recognised. Stays open after the user has assigned one.
  const [isOpen] = useState(map.url === undefined);
  return (
    <details class={sectionCss.section} open={isOpen}>
      <summary>
        <Icon name="chevron" size={16} />
        Columns
        <span class={`push small muted ${css.note}`}>
          {unused.length === 0 ? "all used" : `unused: ${unused.join(", ")}`}
        </span>
      </summary>
      <div class="stack">
        <div class={fieldCss.pairs}>{fields.map(field)}</div>
        {!isComplete && (
          <div>
            <Button size="s" icon="plus" onClick={() => setComplete(true)}>
              More fields
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}

function showSample(sample: string | undefined) {
  return sample && <span class="one-line">{sample}</span>;
}
