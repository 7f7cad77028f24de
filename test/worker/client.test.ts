import { expect, test } from "vitest";
import { createSignpostClient } from "../../src/client/client.ts";
import { newWorkspace, send } from "../support/harness.ts";

async function newClient() {
  const { key } = await newWorkspace();
  const fetch = (request: Request) => send(request);
  return createSignpostClient({ apiUrl: "http://localhost:8787", key, fetch });
}

test("the client makes, lists and deletes a link, with its types", async () => {
  const signpost = await newClient();
  const body = { url: "https://example.com/", labels: ["print"] };
  const { data: made } = await signpost.POST("/v1/links", { body });
  const link_id: string = made?.data.id ?? "";
  const { data: found } = await signpost.GET("/v1/links", {
    params: { query: { label: "print", limit: 1 } },
  });
  expect(found?.data.map(({ id }) => id)).toEqual([link_id]);
  expect(found?.meta.total).toBe(1);

  const { data: deleted } = await signpost.DELETE("/v1/links/{link_id}", { params: { path: { link_id } } });
  expect(deleted?.data).toEqual({ id: link_id, deleted: true });
});

test("a refusal comes as an error with a code of its operation", async () => {
  const signpost = await newClient();
  const { data, error, response } = await signpost.POST("/v1/links", { body: { url: "nonsense" } });
  expect(response.status).toBe(400);
  expect(data).toBeUndefined();
  // The compiler knows the codes: one that the operation does not have would be no comparison.
  expect(error?.error.code === "SLUG_TAKEN").toBe(false);
  expect(error?.error.code).toBe("VALIDATION_ERROR");
});
