import { useEffect, useRef } from "preact/hooks";
import type { SourceName } from "../../../client/import/import-row.ts";
import { getSource } from "../../../client/import/sources/source-table.ts";
import { formatBytes } from "../../../core/byte-size.ts";
import { formatCount } from "../../../core/format-count.ts";
import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Select } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import importCss from "./import.module.css";
import type { SourceChoice } from "./import-address.ts";
import type { ChosenFile } from "./import-store.ts";
import { dropFile } from "./plan-file.ts";
import { SOURCE_TILES } from "./source-tiles.ts";

interface FileBarProps {
  file: ChosenFile;
  choice: SourceChoice;
  /** Source that the file was read as. Null if it isn't known yet or the file can't be read. */
  source: SourceName | null;
  rowCount: number | null;
  /** Hides the choice of source and file while links are created and after the import has ended. */
  isFixed: boolean;
}

/** Chosen file with its facts, and controls to change the source or the file. */
export function FileBar({ file, choice, source, rowCount, isFixed }: FileBarProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The file input is no longer rendered, so the focus moves to the heading.
  useEffect(() => heading.current?.focus(), [file]);
  const facts = [
    source !== null && getSource(source).title,
    rowCount !== null && formatCount(rowCount, "row"),
    formatBytes(file.sizeBytes),
  ];
  return (
    <div class={importCss.fileBar}>
      <Icon name="file" size={20} />
      <div class="grow">
        <h2 ref={heading} class="one-line" tabIndex={-1}>
          {file.name}
        </h2>
        <p class="small muted numeric">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      {!isFixed && (
        <>
          <Select
            label="Source"
            value={choice}
            choices={SOURCE_TILES}
            onChange={(value) => setQuery({ source: value === "auto" ? null : value })}
          />
          <Button onClick={dropFile}>Choose another file</Button>
        </>
      )}
    </div>
  );
}
