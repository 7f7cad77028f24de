import type { SignpostClient } from "./client.ts";
import { readNextCursor } from "./next-cursor.ts";
import type { paths } from "./schema.d.ts";

/** Parts of a list response that are needed to read all pages. */
interface ListBody {
  data: { id: string }[];
  /**
   * Cursor of the next page, null on the last page. Only set by lists that search part of their data per
   * call; some of these lists set the cursor in the `Link` header instead. All other lists have a next page
   * if this page is full.
   */
  meta: { next_before?: string | null };
}

type Get<Path extends keyof paths> = paths[Path] extends { get: infer Operation } ? Operation : never;
type ResponseBody<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** Paths of lists that can be read page by page. */
export type ListPath = {
  [Path in keyof paths]: Get<Path> extends { parameters: { query?: { limit?: number; before?: string } } }
    ? ResponseBody<Get<Path>> extends { data: unknown[] }
      ? Path
      : never
    : never;
}[keyof paths];

/** Item of a list. */
export type ListItem<Path extends ListPath> =
  ResponseBody<Get<Path>> extends { data: (infer Item)[] } ? Item : never;

type Parameters<Path extends ListPath> = Get<Path> extends { parameters: infer All } ? All : never;
type Filters<Path extends ListPath> =
  Parameters<Path> extends { query?: infer Query } ? Omit<NonNullable<Query>, "before" | "offset"> : never;

/** Selects the items to read from a list. */
export type ListSelection<Path extends ListPath> = {
  /** Filters and order of the list. `limit` is the page size. */
  query?: Filters<Path>;
  signal?: AbortSignal;
} & (Parameters<Path> extends { path: infer Names } ? { path: Names } : unknown);

/** Thrown if a page of a list can't be read. */
export class ListError extends Error {
  override name = "ListError";
  /** Status of the response. */
  readonly status: number;
  /** Error envelope of the response. */
  readonly body: unknown;

  constructor(path: string, status: number, body: unknown) {
    super(`GET ${path} returned ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** Default page size. */
const PAGE_ITEMS = 100;
/** Page size of lists with a lower maximum. */
const SMALL_PAGES: { [Path in ListPath]?: number } = { "/v1/domains": 20 };

/**
 * Iterates over all items of a list, newest first: `for await (const link of listAll(signpost,
 * "/v1/links"))`. Reads each page when its first item is needed. Throws a {@link ListError} if a page can't
 * be read.
 */
export async function* listAll<Path extends ListPath>(
  client: SignpostClient,
  path: Path,
  selection: ListSelection<Path> = {} as ListSelection<Path>,
): AsyncGenerator<ListItem<Path>, void, undefined> {
  const { query, signal, path: names } = selection as { query?: object; signal?: AbortSignal; path?: object };
  const { limit = SMALL_PAGES[path] ?? PAGE_ITEMS, ...filters } = (query ?? {}) as { limit?: number };
  let before: string | null | undefined;
  do {
    const params = { query: { limit, ...filters, ...(before && { before }) }, path: names };
    const { data, error, response } = await readPage(client, path, { params, ...(signal && { signal }) });
    if (data === undefined) throw new ListError(path, response.status, error);
    yield* data.data as unknown as ListItem<Path>[];
    const { next_before } = data.meta;
    const last = data.data.length < limit ? null : data.data.at(-1)?.id;
    before = next_before === undefined ? (readNextCursor(response.headers.get("Link")) ?? last) : next_before;
  } while (before);
}

/** Reads one page. Casts, because the client's types can't express what all lists have in common. */
function readPage(
  client: SignpostClient,
  path: ListPath,
  init: object,
): Promise<{ data?: ListBody; error?: unknown; response: Response }> {
  return (client.GET as (path: string, init: object) => Promise<never>)(path, init);
}
