import { expect, test } from "vitest";
import { createSignpostClient } from "../../src/client/client.ts";
import { newWorkspace, send } from "../support/harness.ts";

async function newClient() {
  const { key } = await newWorkspace();
  const fetch = (request: Request) => send(request);
  return createSignpostClient({ apiUrl: "http://localhost:8787", key, fetch });
}

test("the client creates, lists and deletes a link with typed parameters and responses", async () => {
  const signpost = await newClient();
  const body = { url: "https://example.com/", labels: ["print"] };
  const { data: created } = await signpost.POST("/v1/links", { body });
  const link_id: string = created?.data.id ?? "";
  const { data: list } = await signpost.GET("/v1/links", {
    params: { query: { label: "print", limit: 1 } },
  });
  expect(list?.data.map(({ id }) => id)).toEqual([link_id]);
  expect(list?.meta.total).toBe(1);

  const { data: deleted } = await signpost.DELETE("/v1/links/{link_id}", { params: { path: { link_id } } });
  expect(deleted?.data).toEqual({ id: link_id, deleted: true });
});

test("the client returns an error response with the typed error codes of the operation", async () => {
  const signpost = await newClient();
  const { data, error, response } = await signpost.POST("/v1/links", { body: { url: "nonsense" } });
  expect(response.status).toBe(400);
  expect(data).toBeUndefined();
  // The type of the code lists the operation's codes. A comparison with any other code does not compile.
  expect(error?.error.code === "SLUG_TAKEN").toBe(false);
  expect(error?.error.code).toBe("VALIDATION_ERROR");
});
