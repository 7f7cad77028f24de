import { closeSync, openSync, realpathSync, writeSync } from "node:fs";
import { extname } from "node:path";
import { getReportParts, REPORT_FORMATS, type ReportFormat } from "../import/import-report.ts";
import type { RowResult } from "../import/run-import.ts";
import { CommandError, EXIT } from "./exit-code.ts";

/** Report that is written while the import runs. It is whole after each row, so that a kill leaves what is done. */
export interface ReportFile {
  add(result: RowResult): void;
  close(): void;
}

/** Opens a report whose format is that of its name. Throws a {@link CommandError} if it cannot be written. */
export function openReportFile(path: string, inputPath: string): ReportFile {
  const format = readFormat(path);
  if (isSameFile(path, inputPath))
    throw new CommandError("the report must not replace the file itself", EXIT.usage);
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
    // One of them is not there yet, or is the input.
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

/** Writes all of a text. Returns its number of bytes. */
function write(file: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
  return bytes.length;
}
