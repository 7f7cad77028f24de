import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_TYPES, clientTypes } from "./client-types.ts";
import { PROJECT } from "./state.ts";

// `npm run client`: writes the types of the client anew, after a change of the API.
writeFileSync(join(PROJECT, CLIENT_TYPES), clientTypes());
console.log(`wrote ${CLIENT_TYPES}`);
