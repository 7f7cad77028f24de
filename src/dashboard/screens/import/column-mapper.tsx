import { COLUMN_FIELDS, type ColumnField, type ColumnMap } from "../../../client/import/column-map.ts";
import { Select } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { FIELD_TEXTS, findSample, isMainField, listUnusedColumns, mapField } from "./column-choices.ts";
import type { FileColumns } from "./import-engine.ts";

interface ColumnMapperProps {
  columns: FileColumns;
  onChange: (map: ColumnMap) => void;
}

/** Says which column of the file holds which field of a link. Guesses are made from the names of the columns. */
export function ColumnMapper({ columns, onChange }: ColumnMapperProps) {
  const { header, map } = columns;
  const unused = listUnusedColumns(columns);
  const main = COLUMN_FIELDS.filter((field) => isMainField(field) || map[field] !== undefined);
  const others = COLUMN_FIELDS.filter((field) => !main.includes(field));
  const choices = [
    { value: "", label: "Not in the file" },
    ...[...new Set(header)].map((name) => ({ value: name, label: name === "" ? "(no name)" : name })),
  ];
  const field = (name: ColumnField) => (
    <Select
      key={name}
      label={FIELD_TEXTS[name]}
      value={map[name] ?? ""}
      choices={choices}
      hint={findSample(columns, name)}
      error={name === "url" && map.url === undefined ? "Every link needs an address." : undefined}
      onChange={(column) => onChange(mapField(map, name, column))}
    />
  );
  return (
    <details class="section" open>
      <summary>
        <Icon name="chevron" size={16} />
        Columns of the file
        <span class="push small muted">
          {unused.length === 0 ? "all are used" : `not used: ${unused.join(", ")}`}
        </span>
      </summary>
      <div class="stack">
        <div class="pairs">{main.map(field)}</div>
        {others.length > 0 && (
          <details class="section">
            <summary>
              <Icon name="chevron" size={16} />
              More fields
            </summary>
            <div class="pairs">{others.map(field)}</div>
          </details>
        )}
      </div>
    </details>
  );
}
