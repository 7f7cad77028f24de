import { expect, test } from "vitest";
import * as z from "zod";
import type { Operation } from "../../src/http/operation.ts";
import { formatDocumentPath, writeOpenApiDocument } from "../../src/openapi/document.ts";
import { listQuotaForms } from "../../src/openapi/variants.ts";

/** Operations in the OpenAPI document, tested with operations that the API does not have. */

const BASE: Operation = {
  id: "getThing",
  tag: "Links",
  summary: "Get a thing",
  method: "get",
  path: "/v1/things",
  rateLimit: "A",
  scope: "links:read",
  data: z.strictObject({ id: z.string() }),
};
const write = (...operations: Operation[]) =>
  writeOpenApiDocument({ apiUrl: "https://api.example", appUrl: "https://app.example", operations });

/** Returns the names in `meta` of the example response of an operation. */
function listMeta(members: Partial<Operation>): string[] {
  const { paths } = write({ ...BASE, ...members });
  const content = paths["/v1/things"]?.get?.responses[200]?.content?.["application/json"];
  return Object.keys((content?.example as { meta: object } | undefined)?.meta ?? {});
}

test("a path has each of its parameters in braces", () => {
  expect(formatDocumentPath("/v1/things/:thing_id/parts/:part_id")).toBe(
    "/v1/things/{thing_id}/parts/{part_id}",
  );
});

test("meta describes the page of a list, and the next cursor of a list with cursors", () => {
  const common = ["request_id", "rate_limit"];
  const page = ["total", "limit", "offset"];
  expect(listMeta({})).toEqual(common);
  expect(listMeta({ isPaged: true })).toEqual([...common, ...page]);
  expect(listMeta({ isPaged: true, hasCursor: true })).toEqual([
    ...[...common, ...page],
    ...["total_is_capped", "next_before"],
  ]);
});

test.each([
  [undefined, true],
  [true, false],
])("the body of an operation with isBodyOptional %s is required: %s", (isBodyOptional, expected) => {
  const body = z.strictObject({ a: z.string() });
  const { paths } = write({ ...BASE, method: "post", body, ...(isBodyOptional && { isBodyOptional }) });
  expect(paths["/v1/things"]?.post?.requestBody?.required).toBe(expected);
});

test("the document lists exactly the tags that its paths and webhooks use", () => {
  const { tags, paths, webhooks } = write(BASE);
  const items = [...Object.values(paths), ...Object.values(webhooks)];
  const used = new Set(items.flatMap((item) => Object.values(item).flatMap((operation) => operation.tags)));
  expect(used).toContain("Links");
  expect(new Set(tags.map(({ name }) => name))).toEqual(used);
  expect(used).not.toContain("QR codes");
});

test("a shape of the quota only names operations whose response is JSON", () => {
  const file: Operation = { ...BASE, id: "getFile", tag: "Assets", mediaTypes: ["image/png"] };
  const { data: _, ...withoutData } = file;
  expect(listQuotaForms([BASE, withoutData]).map(({ operations }) => operations)).toEqual(["Links", ""]);
});
