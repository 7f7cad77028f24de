import { expect, test } from "vitest";
import { createSignpostClient } from "../../src/client/client.ts";

/** Types of the client's calls. `tsc` fails if a call marked as an error compiles. */

test("calls with a field that the API doesn't have do not compile", async () => {
  const sent: unknown[] = [];
  const client = createSignpostClient({
    apiUrl: "https://api.example",
    key: "svc_pk_x",
    fetch: (async (request: Request) => {
      sent.push(request.body === null ? new URL(request.url).search : await request.json());
      return Response.json({ data: {}, meta: {} });
    }) as typeof fetch,
  });
  const url = "https://example.com/";
  const path = { link_id: "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f" };
  // @ts-expect-error
  await client.POST("/v1/links", { body: { ulr: url } });
  // @ts-expect-error
  await client.POST("/v1/links", { body: { url, tilte: "Summer" } });
  // @ts-expect-error
  await client.POST("/v1/links/bulk", { body: { links: [{ url, tilte: "Summer" }] } });
  // @ts-expect-error
  await client.PATCH("/v1/links/{link_id}", { params: { path }, body: { tilte: "Summer" } });
  // @ts-expect-error
  await client.POST("/v1/links", { body: { url, routing_rules: [{ wehn: {}, destination: url }] } });
  // @ts-expect-error
  await client.GET("/v1/links", { params: { query: { lmit: 3 } } });
  expect(sent).toEqual([
    { ulr: url },
    { url, tilte: "Summer" },
    { links: [{ url, tilte: "Summer" }] },
    { tilte: "Summer" },
    { url, routing_rules: [{ wehn: {}, destination: url }] },
    "?lmit=3",
  ]);
});
