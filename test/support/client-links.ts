import type { SignpostClient } from "../../src/client/client.ts";

/** Links of a workspace for tests of the dashboard, without the dashboard. */

/** Creates a link and returns its id. */
export async function createLink(client: SignpostClient, body: object): Promise<string> {
  const { data } = await client.POST("/v1/links", { body: body as { url: string } });
  return data?.data.id ?? "";
}

export async function readLink(client: SignpostClient, link_id: string) {
  return (await client.GET("/v1/links/{link_id}", { params: { path: { link_id } } })).data?.data;
}
