import { expect } from "vitest";
import type { ImportRow, InvalidRow } from "../../src/client/import/import-row.ts";
import { isImportRow } from "../../src/client/import/import-row.ts";
import { type ReadOptions, readImport } from "../../src/client/import/read-import.ts";
import { createLinkBody } from "../../src/links/links.schema.ts";

/** Time at which test files are parsed. */
export const NOW_MS = Date.parse("2026-11-22T12:00:00Z");

/** Parses a file, and checks that the service accepts the body of each link. */
export function readRows(
  text: string,
  options: Partial<ReadOptions> = {},
): readonly (ImportRow | InvalidRow)[] {
  const { rows } = readImport({ name: "links", text }, { nowMs: NOW_MS, ...options });
  for (const row of rows) if (isImportRow(row)) expectAccepted(row);
  return rows;
}

function expectAccepted({ link }: ImportRow): void {
  const { error } = createLinkBody.safeParse(link);
  expect(error?.issues, JSON.stringify(link).slice(0, 1_000)).toBeUndefined();
}

/** Returns the body of a row, or its error. */
export function toBody(row: ImportRow | InvalidRow | undefined): unknown {
  if (row === undefined) return undefined;
  return isImportRow(row) ? row.link : row.problem;
}
