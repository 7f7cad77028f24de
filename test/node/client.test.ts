import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLIENT_TYPES_FILE, generateClientTypes } from "../../src/cli/client-types.ts";

test("src/client/schema.d.ts matches the OpenAPI document (npm run client updates it)", () => {
  expect(readFileSync(CLIENT_TYPES_FILE, "utf8")).toBe(generateClientTypes());
});
