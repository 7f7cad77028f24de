import { expect, test } from "vitest";
import { FLAG_DRAWINGS } from "../../src/dashboard/components/flag-drawings.ts";
import { COUNTRY_CODES } from "../../src/routing/countries.ts";

test("every country has a flag, which contains shapes only", () => {
  expect(Object.keys(FLAG_DRAWINGS)).toEqual([...COUNTRY_CODES]);
  for (const [code, drawing] of Object.entries(FLAG_DRAWINGS))
    expect(drawing, code).toMatch(/^(?:<(?:path|circle|rect)\b[^<>]*\/>)+$/);
});
