import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateSchema, SCHEMA_FILE } from "./schema.ts";
import { PROJECT } from "./state.ts";

// Entry point of `npm run schema`. Updates the schema file after a new migration.
writeFileSync(join(PROJECT, SCHEMA_FILE), generateSchema());
console.log(`wrote ${SCHEMA_FILE}`);
