import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_TYPES_FILE, generateClientTypes } from "./client-types.ts";
import { PROJECT } from "./state.ts";

// Entry point of `npm run client`. Updates the client's types after the API has changed.
writeFileSync(join(PROJECT, CLIENT_TYPES_FILE), generateClientTypes());
console.log(`wrote ${CLIENT_TYPES_FILE}`);
