import type { FetchResponse } from "openapi-fetch";
import type { Schemas, SignpostClient } from "./client.ts";
import type { paths } from "./schema.d.ts";

type Put = paths["/v1/links/external/{external_id}"]["put"];

/**
 * Creates the link with an `external_id`, or updates it. The status of the response is 201 or 200. A repeated
 * call changes nothing, and parallel calls create one link.
 */
export function upsert(
  client: SignpostClient,
  externalId: string,
  link: Schemas["NewLink"],
): Promise<FetchResponse<Put, { body: Schemas["NewLink"] }, `${string}/${string}`>> {
  const params = { path: { external_id: externalId } };
  return client.PUT("/v1/links/external/{external_id}", { params, body: link });
}
