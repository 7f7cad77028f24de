import type { components } from "../../client/schema.d.ts";

/** Resources and bodies of the API, by their schema name, for files that make no calls. */
export type Schemas = components["schemas"];
