import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLIENT_TYPES, clientTypes } from "../../src/cli/client-types.ts";

test("the client's types are those of the document; if not: npm run client", () => {
  expect(readFileSync(CLIENT_TYPES, "utf8")).toBe(clientTypes());
});
