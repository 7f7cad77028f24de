import { expect, test } from "vitest";
import { restrictObjects } from "../../src/core/jurisdiction.ts";

const OBJECTS = { jurisdiction: (place: string) => `objects in ${place}` };

test("only Durable Objects are restricted to the jurisdiction, once for each env", () => {
  const env = {
    LIMITER: OBJECTS,
    DIRECTORY: { prepare: () => null },
    API_URL: "https://api",
    SECRET: undefined,
  };
  expect(restrictObjects(env)).toBe(env);
  const vars = { ...env, JURISDICTION: "eu" };
  expect(restrictObjects(vars)).toEqual({ ...vars, LIMITER: "objects in eu" });
  expect(restrictObjects(vars)).toBe(restrictObjects(vars));
});
