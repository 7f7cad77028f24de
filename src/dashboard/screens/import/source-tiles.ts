// Pure: no I/O, clock or randomness.
import { getSource, IMPORT_SOURCES } from "../../../client/import/sources/source-table.ts";
import type { SourceChoice } from "./import-address.ts";

/** Choice of the service that the file comes from. */

/** Sources as tiles. The first detects the source from the file. */
export const SOURCE_TILES: readonly { value: SourceChoice; label: string }[] = [
  { value: "auto", label: "Detect automatically" },
  ...IMPORT_SOURCES.map(({ name, title }) => ({ value: name, label: title })),
];

/** Returns instructions for exporting the file from a service. */
export function describeSource(source: SourceChoice): string {
  return source === "auto"
    ? "The service is detected from the file. Choose yours to see how to export your links."
    : getSource(source).howTo;
}
