import { type Command, InvalidArgumentError, Option } from "commander";
import { COLUMN_FIELDS, type ColumnMap, parseColumn } from "../import/column-map.ts";
import { decodeFile, IMPORT_MAX_BYTES } from "../import/file-text.ts";
import { type ImportFile, ImportFormatError, SOURCE_NAMES, type SourceName } from "../import/import-row.ts";
import { type ImportTarget, TargetError } from "../import/import-target.ts";
import type { ImportPlan, OnConflict } from "../import/plan-import.ts";
import { prepareImport } from "../import/prepare-import.ts";
import { readImport } from "../import/read-import.ts";
import { toExitCode } from "./api-call.ts";
import type { CommandContext } from "./command-context.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { openProgressBar } from "./progress-bar.ts";
import { readBytes } from "./read-file.ts";

/** Reads and plans an import file. Shared by the import commands. */

/** Options for reading the file. */
export interface FileOptions {
  from?: SourceName;
  column?: ColumnMap;
}

/** Adds the options for reading a file. */
export function addFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--from <service>", "service the file comes from, or csv (default: detected)").choices(
        SOURCE_NAMES,
      ),
    )
    .option(
      "--column <field=header>",
      `map a field to a CSV column; repeat for several. Fields: ${COLUMN_FIELDS.join(", ")}`,
      collectColumn,
    );
}

function collectColumn(text: string, previous: ColumnMap = {}): ColumnMap {
  const column = parseColumn(text);
  if (column === null)
    throw new InvalidArgumentError(
      `Must be FIELD=HEADER, where FIELD is one of ${COLUMN_FIELDS.join(", ")}.`,
    );
  return { ...previous, [column[0]]: column[1] };
}

/** Reads the file. Throws a {@link CommandError} that says what is wrong with it. */
export async function readFile(
  { terminal }: CommandContext,
  path: string,
  { from, column }: FileOptions,
): Promise<ImportFile> {
  const bytes = await readBytes(path, terminal, IMPORT_MAX_BYTES);
  try {
    const text = decodeFile(bytes);
    const options = { ...(from && { source: from }), ...(column && { columns: column }), nowMs: Date.now() };
    return readImport({ name: path === "-" ? "" : path, text }, options);
  } catch (error) {
    if (error instanceof ImportFormatError) throw new CommandError(error.message, EXIT.usage);
    throw error;
  }
}

/** Plans the import of a file. Shows a progress bar while codes are looked up. */
export async function planFile(
  { terminal }: CommandContext,
  target: ImportTarget,
  file: ImportFile,
  onConflict: OnConflict,
): Promise<ImportPlan> {
  const bar = openProgressBar(terminal, "Checking short codes");
  try {
    const onProgress = ({ done, total }: { done: number; total: number }) => bar.update(done, total);
    return await prepareImport(target, file, { onConflict, onProgress });
  } catch (error) {
    throw error instanceof TargetError ? explainTargetError(error) : error;
  } finally {
    bar.clear();
  }
}

function explainTargetError({ status, code, message }: TargetError): CommandError {
  return new CommandError(code === "" ? message : `${code}: ${message}`, toExitCode(status));
}
