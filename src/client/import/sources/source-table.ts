// Pure: no I/O, clock or randomness.
import type { SourceName } from "../import-row.ts";
import { bitly } from "./bitly.ts";
import { dub } from "./dub.ts";
import type { ImportSource } from "./import-source.ts";
import { kutt } from "./kutt.ts";
import { rebrandly } from "./rebrandly.ts";
import { shlink } from "./shlink.ts";
import { shortIo } from "./short-io.ts";
import { sink } from "./sink.ts";
import { yourls } from "./yourls.ts";

const csv: ImportSource = {
  name: "csv",
  title: "Any CSV",
  formats: ["CSV"],
  howTo:
    "Use any CSV with a header row and a column of destination URLs. Map columns whose names aren't recognised.",
  expected: "a header with a column of destinations, such as url",
};

/** Services whose files can be imported. Detection takes the first service whose fields occur in the file. */
export const IMPORT_SOURCES: readonly ImportSource[] = [
  bitly,
  dub,
  shortIo,
  rebrandly,
  kutt,
  yourls,
  shlink,
  sink,
  csv,
];

/** Returns the source with a name. */
export function getSource(name: SourceName): ImportSource {
  return IMPORT_SOURCES.find((source) => source.name === name) ?? csv;
}
