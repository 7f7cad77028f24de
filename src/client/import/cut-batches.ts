import { splitBySize } from "../../core/split.ts";
import type { components } from "../schema.d.ts";
import { CALL_ITEMS_MAX } from "./import-target.ts";

type Schemas = components["schemas"];

/** Bytes of the links of one call. The service takes 1 MiB with all that stands around them. */
const CALL_BYTES_MAX = 900_000;

const encoder = new TextEncoder();

/** Cuts rows into batches that the service takes in one call. A link that is too large is a batch of its own. */
export function cutBatches<Row extends { link: Schemas["NewLink"] }>(
  rows: readonly Row[],
  itemsMax = CALL_ITEMS_MAX,
): Row[][] {
  const getSize = (row: Row) => encoder.encode(JSON.stringify(row.link)).length + 1;
  return splitBySize(rows, getSize, CALL_BYTES_MAX, itemsMax);
}
