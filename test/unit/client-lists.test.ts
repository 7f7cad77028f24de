import { expect, test } from "vitest";
import { createSignpostClient } from "../../src/client/client.ts";
import { ListError, listAll } from "../../src/client/list-all.ts";
import { readNextCursor } from "../../src/client/next-cursor.ts";

/** Iterates over lists of a small service that records its requests. */

const ID = (number: number) => `id-${number}`;

function createClient(count: number, next: (ids: string[], isLast: boolean) => object) {
  const asked: string[] = [];
  const client = createSignpostClient({
    apiUrl: "https://api.example",
    key: "svc_pk_test",
    retries: 0,
    async fetch(request) {
      const url = new URL(request.url);
      asked.push(url.pathname + decodeURIComponent(url.search));
      const before = Number(url.searchParams.get("before")?.slice(3) ?? count + 1);
      const limit = Number(url.searchParams.get("limit"));
      const ids = Array.from({ length: count }, (_, index) => count - index)
        .filter((number) => number < before)
        .slice(0, limit)
        .map(ID);
      const data = ids.map((id) => ({ id }));
      return Response.json({ data, meta: next(ids, ids.at(-1) === ID(1) || ids.length === 0) });
    },
  });
  return { client, asked };
}

async function collect(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

const ALL = [5, 4, 3, 2, 1].map(ID);

test("a list with a cursor for the next page is read to the end", async () => {
  const { client, asked } = createClient(5, (ids, isLast) => ({ next_before: isLast ? null : ids.at(-1) }));
  expect(await collect(listAll(client, "/v1/links", { query: { label: "print", limit: 2 } }))).toEqual(ALL);
  expect(asked).toEqual([
    "/v1/links?limit=2&label=print",
    "/v1/links?limit=2&label=print&before=id-4",
    "/v1/links?limit=2&label=print&before=id-2",
  ]);
});

test("a list that reports its end stops, even after a full page", async () => {
  const { client, asked } = createClient(5, () => ({ next_before: null }));
  expect(await collect(listAll(client, "/v1/links", { query: { limit: 5 } }))).toEqual(ALL);
  expect(asked).toEqual(["/v1/links?limit=5"]);
});

test("a list without a cursor continues after a full page", async () => {
  const { client, asked } = createClient(5, () => ({}));
  expect(await collect(listAll(client, "/v1/qr/templates", { query: { limit: 5 } }))).toEqual(ALL);
  expect(asked).toEqual(["/v1/qr/templates?limit=5", "/v1/qr/templates?limit=5&before=id-1"]);
  expect(await collect(listAll(client, "/v1/webhooks"))).toEqual(ALL);
  expect(asked.slice(2)).toEqual(["/v1/webhooks?limit=100"]);
});

test("a list with a cursor in a header continues, even after a short or empty page", async () => {
  const pages = [[5, 4], [3], [], [2, 1]];
  const asked: string[] = [];
  const client = createSignpostClient({
    apiUrl: "https://api.example",
    key: "svc_pk_test",
    async fetch({ url }) {
      asked.push(new URL(url).search);
      const data = (pages[asked.length - 1] ?? []).map((number) => ({ id: ID(number) }));
      const next = `</v1/webhooks/a/deliveries?before=${asked.length}&limit=2>; rel="next"`;
      const headers = asked.length < pages.length ? { Link: next } : undefined;
      return Response.json({ data, meta: {} }, { ...(headers && { headers }) });
    },
  });
  const selection = { path: { webhook_id: "a" }, query: { limit: 3, status: "failed" } } as const;
  expect(await collect(listAll(client, "/v1/webhooks/{webhook_id}/deliveries", selection))).toEqual(ALL);
  expect(asked).toEqual([
    "?limit=3&status=failed",
    ...[1, 2, 3].map((before) => `?limit=3&status=failed&before=${before}`),
  ]);
});

test.each([
  ["", null],
  ['</v1/links?limit=2>; rel="next"', null],
  ['</v1/links?before=a>; rel="prev"', null],
  ['<http://>; rel="next"', null],
  ['</v1/links?before=a%2Fb>; rel="next"', "a/b"],
])("for the header %j, the cursor is %j", (link, cursor) => {
  expect(readNextCursor(link)).toBe(cursor);
});

test("a nested list has its resource in the path, and reads pages when they are needed", async () => {
  const { client, asked } = createClient(5, (ids) => ({ next_before: ids.at(-1) }));
  const history = listAll(client, "/v1/links/{link_id}/history", {
    path: { link_id: "a/b" },
    query: { limit: 2 },
  });
  expect((await history.next()).value).toEqual({ id: ID(5) });
  await history.return();
  expect(asked).toEqual(["/v1/links/a%2Fb/history?limit=2"]);
});

test("a page that cannot be read throws the service's error", async () => {
  const client = createSignpostClient({
    apiUrl: "https://api.example",
    key: "svc_pk_test",
    fetch: async () => Response.json({ error: { code: "INVALID_API_KEY" } }, { status: 401 }),
  });
  const error = await collect(listAll(client, "/v1/links")).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ListError);
  expect(error).toMatchObject({
    message: "GET /v1/links returned 401",
    status: 401,
    body: { error: { code: "INVALID_API_KEY" } },
  });
});
