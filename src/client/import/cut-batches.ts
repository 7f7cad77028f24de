import type { components } from "../schema.d.ts";
import { CALL_ITEMS_MAX } from "./import-target.ts";

type Schemas = components["schemas"];

/** Bytes of the links of one call. The service takes 1 MiB with all that stands around them. */
const CALL_BYTES_MAX = 900_000;

const encoder = new TextEncoder();

/** Cuts rows into batches that the service takes in one call. A link that is too large is a batch of its own. */
export function* cutBatches<Row extends { link: Schemas["NewLink"] }>(
  rows: readonly Row[],
  itemsMax = CALL_ITEMS_MAX,
): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row.link)).length + 1;
    if (batch.length > 0 && (batch.length === itemsMax || bytes + size > CALL_BYTES_MAX)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
