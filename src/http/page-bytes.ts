import { PAGE_BYTES_MAX } from "../db/page-bytes.ts";
import type { HandlerPage, MetaOptions } from "./envelope.ts";

const encoder = new TextEncoder();

/** Result of a handler that returns a list. */
interface ListResult extends MetaOptions {
  data: unknown;
  page: HandlerPage;
}

/**
 * Cuts a list whose items have more than {@link PAGE_BYTES_MAX} bytes as JSON. Keeps at least one item. Then
 * `limit` is the number of items on the page, so that `offset + limit` is where the next page starts, and
 * `next_before` continues after the last item.
 */
export function boundPage({ data, page, ...others }: ListResult): ListResult {
  const { cursorAt, ...meta } = page;
  const items = data as readonly { id?: string }[];
  const kept = countFitting(items);
  if (kept === items.length) return { ...others, data, page: meta };
  const cursor = cursorAt?.(kept - 1) ?? items[kept - 1]?.id ?? null;
  const nextBefore = meta.next_before === undefined ? {} : { next_before: cursor };
  return { ...others, data: items.slice(0, kept), page: { ...meta, limit: kept, ...nextBefore } };
}

function countFitting(items: readonly unknown[]): number {
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    bytes += encoder.encode(JSON.stringify(item)).byteLength + 1;
    if (bytes > PAGE_BYTES_MAX && index > 0) return index;
  }
  return items.length;
}
