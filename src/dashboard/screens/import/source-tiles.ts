import { SOURCE_NAMES } from "../../../client/import/import-row.ts";
import type { SourceChoice } from "./import-address.ts";
import { SOURCES } from "./source-words.ts";

/** Choices of a source. */

/** Sources as tiles. The first leaves it to the file. */
export const SOURCE_TILES: readonly { value: SourceChoice; label: string }[] = [
  { value: "auto", label: "Detect" },
  ...SOURCE_NAMES.map((value) => ({ value, label: SOURCES[value].title })),
];

/** Says how to get the file of a source. */
export function describeSource(source: SourceChoice): string {
  return source === "auto"
    ? "The file tells by itself which service has written it. Choose yours to read how to get the file there."
    : SOURCES[source].howTo;
}
