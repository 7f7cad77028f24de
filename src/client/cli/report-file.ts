import { closeSync, openSync, realpathSync, writeSync } from "node:fs";
import { extname } from "node:path";
import { getReportParts, REPORT_FORMATS, type ReportFormat } from "../import/import-report.ts";
import type { RowResult } from "../import/run-import.ts";
import { CommandError, EXIT } from "./exit-code.ts";

/**
 * Report written during the import. The file is complete after each row, so if the process is killed, the
 * report contains all rows up to then.
 */
export interface ReportFile {
  add(result: RowResult): void;
  close(): void;
}

/** Opens a report file in the format of its extension. Throws {@link CommandError} if it is not writable. */
export function openReportFile(path: string, inputPath: string): ReportFile {
  const format = readFormat(path);
  if (isSameFile(path, inputPath))
    throw new CommandError("the report can't overwrite the imported file", EXIT.usage);
  const { start, formatRows, end } = getReportParts(format);
  const file = openForWriting(path);
  let isFirst = true;
  let size = write(file, start, 0);
  write(file, end, size);
  return {
    add(result) {
      size += write(file, formatRows([result], isFirst), size);
      write(file, end, size);
      isFirst = false;
    },
    close: () => closeSync(file),
  };
}

function readFormat(path: string): ReportFormat {
  const extension = extname(path).slice(1).toLowerCase();
  const format = REPORT_FORMATS.find((name) => name === extension);
  if (format === undefined) throw new CommandError(`${path} must end in .csv or .json`, EXIT.usage);
  return format;
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // One of the files doesn't exist yet, or the input is standard input.
    return false;
  }
}

function openForWriting(path: string): number {
  try {
    return openSync(path, "w");
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}`, EXIT.usage);
  }
}

/** Writes the whole text at a position. Returns its number of bytes. */
function write(file: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
  return bytes.length;
}
