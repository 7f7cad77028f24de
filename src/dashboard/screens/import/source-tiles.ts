import { getSource, IMPORT_SOURCES } from "../../../client/import/sources/source-table.ts";
import type { SourceChoice } from "./import-address.ts";

/** Choice of the service that the file comes from. */

/** Sources as tiles. The first detects the source from the file. */
export const SOURCE_TILES: readonly { value: SourceChoice; label: string }[] = [
  { value: "auto", label: "Detect" },
  ...IMPORT_SOURCES.map(({ name, title }) => ({ value: name, label: title })),
];

/** Returns instructions for exporting the file from a service. */
export function describeSource(source: SourceChoice): string {
  return source === "auto"
    ? "The file tells by itself which service has written it. Choose yours to read how to get the file there."
    : getSource(source).howTo;
}
