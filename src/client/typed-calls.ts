import type { Client, ClientPathsWithMethod, FetchOptions, FetchResponse, ParseAs } from "openapi-fetch";
import type { paths } from "./schema.d.ts";

/** Types of the client's calls. Unlike openapi-fetch's own types, they reject fields that the API doesn't have. */

type Method = "get" | "put" | "post" | "patch" | "delete";

/** Arguments after the path. They are optional if nothing in them is required. */
type Arguments<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

type Call<Name extends Method> = <
  Path extends ClientPathsWithMethod<Client<paths>, Name>,
  As extends ParseAs = "json",
>(
  path: Path,
  ...options: Arguments<FetchOptions<paths[Path][Name]> & { parseAs?: As }>
) => Promise<FetchResponse<NonNullable<paths[Path][Name]>, { parseAs: As }, `${string}/${string}`>>;

/** Client for the API, typed by its OpenAPI document: `signpost.POST("/v1/links", { body: { url } })`. */
export interface TypedClient extends Pick<Client<paths>, "use" | "eject"> {
  GET: Call<"get">;
  PUT: Call<"put">;
  POST: Call<"post">;
  PATCH: Call<"patch">;
  DELETE: Call<"delete">;
}
