// Pure: no I/O, clock or randomness.
import { splitBySize } from "../../core/split.ts";
import type { components } from "../schema.d.ts";
import { CALL_ITEMS_MAX } from "./import-target.ts";

type Schemas = components["schemas"];

/** Maximum bytes for the links of one call. The service accepts 1 MiB including the rest of the request. */
const CALL_BYTES_MAX = 900_000;

const encoder = new TextEncoder();

/** Splits rows into batches that fit into one call. A link that is too large becomes a batch of its own. */
export function cutBatches<Row extends { link: Schemas["NewLink"] }>(
  rows: readonly Row[],
  itemsMax = CALL_ITEMS_MAX,
): Row[][] {
  const getSize = (row: Row) => encoder.encode(JSON.stringify(row.link)).length + 1;
  return splitBySize(rows, getSize, CALL_BYTES_MAX, itemsMax);
}
