// Pure: no I/O, clock or randomness.
import type { components } from "../../client/schema.d.ts";

/** Resources and request bodies by their schema name, for files that make no calls. */
export type Schemas = components["schemas"];
