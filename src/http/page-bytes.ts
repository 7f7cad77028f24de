import { sleep } from "../core/timeout.ts";
import { PAGE_BYTES_MAX } from "../db/page-bytes.ts";
import type { HandlerPage, MetaOptions } from "./envelope.ts";

/** Bytes of JSON that are formatted without interruption. Lists of items without large fields are smaller. */
const TURN_BYTES = 131_072;

const encoder = new TextEncoder();

/** Result of a handler that returns a list. */
interface ListResult extends MetaOptions {
  data: unknown;
  page: HandlerPage;
}

/** List that fits on a page, with each item as JSON. */
interface BoundList extends MetaOptions {
  items: string[];
}

/**
 * Formats the items of a list, and cuts a list whose items have more than {@link PAGE_BYTES_MAX} bytes as JSON. Keeps at
 * least one item. Then `limit` is the number of items on the page, so that `offset + limit` is where the next page
 * starts, and `next_before` continues after the last item. Interrupts the work after every {@link TURN_BYTES}, because a
 * full page would otherwise delay the isolate's other requests by several milliseconds.
 */
export async function boundPage({ data, page, ...others }: ListResult): Promise<BoundList> {
  const { cursorAt, ...meta } = page;
  const list = data as readonly { id?: string }[];
  const items: string[] = [];
  let bytes = 0;
  let turnEnd = TURN_BYTES;
  for (const item of list) {
    const json = JSON.stringify(item);
    bytes += encoder.encode(json).byteLength + 1;
    if (bytes > PAGE_BYTES_MAX && items.length > 0) break;
    items.push(json);
    if (bytes < turnEnd) continue;
    await sleep(0);
    turnEnd = bytes + TURN_BYTES;
  }
  const kept = items.length;
  if (kept === list.length) return { ...others, items, page: meta };
  const cursor = cursorAt?.(kept - 1) ?? list[kept - 1]?.id ?? null;
  const nextBefore = meta.next_before === undefined ? {} : { next_before: cursor };
  return { ...others, items, page: { ...meta, limit: kept, ...nextBefore } };
}
