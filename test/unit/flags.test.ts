import { expect, test } from "vitest";
import { readFlagDrawings } from "../../src/cli/dashboard-plugins.ts";
import { COUNTRY_CODES } from "../../src/routing/countries.ts";

test("every country has a flag, which contains shapes only", () => {
  const drawings = readFlagDrawings();
  expect(Object.keys(drawings)).toEqual([...COUNTRY_CODES]);
  for (const [code, drawing] of Object.entries(drawings))
    expect(drawing, code).toMatch(/^(?:<(?:path|circle|rect)\b[^<>]*\/>)+$/);
});
