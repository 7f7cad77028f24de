import fc from "fast-check";
import { expect, test } from "vitest";
import { createApiTarget } from "../../src/client/import/api-target.ts";
import { listLinksQuery } from "../../src/links/links.schema.ts";
import { formatCodeList, parseCodeList } from "../../src/routing/code-list.ts";

test("any codes survive a list", () => {
  const code = fc.array(fc.constantFrom("a", ",", "\\", "é", "🙂"), { minLength: 1, maxLength: 6 });
  const codes = fc.array(
    code.map((parts) => parts.join("")),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(codes, (all) => {
      expect(parseCodeList(formatCodeList(all))).toEqual(all);
    }),
  );
});

test("a backslash before another character is part of the code", () => {
  expect(parseCodeList("a\\b,c\\d")).toEqual(["a\\b", "c\\d"]);
});

test("an import looks up 100 codes with commas in one call that the service accepts", async () => {
  const codes = Array.from({ length: 100 }, (_, n) => `,a${n},\\${n}\\,`);
  const asked: unknown[] = [];
  const target = createApiTarget({
    GET: async (_: string, { params }: { params: { query: { codes: string } } }) => {
      asked.push(listLinksQuery.shape.codes.parse(params.query.codes));
      return { data: { data: [] }, response: new Response() };
    },
  } as never);
  expect(await target.findCodes(codes)).toEqual([]);
  expect(asked).toEqual([codes]);
});
