import { createSignpostClient, type SignpostClient } from "../client.ts";
import type { Environment } from "./configuration.ts";
import { readConfiguration } from "./configuration.ts";
import { type Column, cleanText, formatTable } from "./table.ts";
import type { Terminal } from "./terminal.ts";

/** Context passed to every command. */
export interface CommandContext {
  terminal: Terminal;
  environment: Environment;
  /** True if results are written as JSON (`--json`). */
  isJson: boolean;
}

/** Returns a client for the configured service and key. Throws a `CommandError` if they aren't configured. */
export function openClient({ environment }: CommandContext): SignpostClient {
  return createSignpostClient(readConfiguration(environment));
}

/** Writes one result, as JSON or as readable text. */
export function writeResult({ terminal, isJson }: CommandContext, result: unknown, readable: string): void {
  terminal.write(isJson ? `${JSON.stringify(result, null, 2)}\n` : `${readable}\n`);
}

/** Writes a list: as a JSON array, as a table on a terminal, or tab-separated in a pipe. */
export function writeList<Row>(
  { terminal, isJson }: CommandContext,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  if (isJson) terminal.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (terminal.isOutputTerminal && rows.length > 0)
    terminal.write(formatTable(rows, columns, terminal.columns));
  else terminal.write(rows.map((row) => `${formatFields(row, columns)}\n`).join(""));
}

/** Formats a row for programs, with tabs between the fields. */
function formatFields<Row>(row: Row, columns: readonly Column<Row>[]): string {
  return columns.map(({ format }) => cleanText(format(row))).join("\t");
}
