import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, inject, test } from "vitest";
import { routes } from "../../src/api.ts";
import { CLIENT_TYPES_FILE, generateClientTypes } from "../../src/cli/client-types.ts";
import { createSignpostClient } from "../../src/client/client.ts";
import { CALL_ITEMS_MAX } from "../../src/client/import/import-target.ts";
import { listAll } from "../../src/client/list-all.ts";
import * as limits from "../../src/dashboard/data/service-limits.ts";
import { FILE_MAX_BYTES } from "../../src/dashboard/uploads/asset-kind.ts";
import { writeOpenApiDocument } from "../../src/openapi/document.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";

test("src/client/schema.d.ts matches the OpenAPI document (npm run client updates it)", () => {
  expect(readFileSync(CLIENT_TYPES_FILE, "utf8")).toBe(generateClientTypes());
});

test("a call times out although garbage was collected while it waited for a response", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const collecting = setInterval(collectGarbage, 50);
  try {
    const apiUrl = inject("receiverUrl");
    const options = { retries: 0, timeoutMs: 300, querySerializer: () => "hang" };
    const client = createSignpostClient({ apiUrl, key: "test", ...options });
    await expect(client.GET("/v1/links")).rejects.toHaveProperty("name", "TimeoutError");
  } finally {
    clearInterval(collecting);
  }
}, 20_000);

describe("limits that the client and the dashboard repeat equal the service's limits:", () => {
  const operations = routes.map(({ operation }) => operation);
  const urls = { apiUrl: "https://api.example", appUrl: "https://app.example" };
  const { paths, components } = writeOpenApiDocument({ ...urls, operations });

  /** Returns the value at a path of names, such as `properties.name.maxLength`. */
  const find = (value: unknown, path: string): unknown =>
    path.split(".").reduce((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);
  const schema = (path: string) => find(components.schemas, path);
  /** Returns a value in the schema of a body. */
  const body = (method: "post" | "patch", path: string, rest: string) =>
    find(paths[path]?.[method]?.requestBody?.content["application/json"]?.schema, rest);
  const readQuery = (path: string, name: string) =>
    paths[path]?.get?.parameters?.find((parameter) => find(parameter, "name") === name);
  const query = (path: string, name: string) => find(readQuery(path, name), "schema");

  test.each<[string, number, unknown[]]>([
    ["links of one call", CALL_ITEMS_MAX, [body("post", "/v1/links/bulk", "properties.links.maxItems")]],
    [
      "ids of one call",
      limits.BULK_IDS_MAX,
      [body("patch", "/v1/links/bulk/status", "properties.ids.maxItems")],
    ],
    [
      "changed links of one call",
      limits.BULK_LINKS_MAX,
      [body("patch", "/v1/links/bulk", "properties.links.maxItems")],
    ],
    [
      "pages",
      limits.PAGE_ITEMS_MAX,
      ["/v1/links", "/v1/qr/templates"].map((path) => find(query(path, "limit"), "maximum")),
    ],
    ["searches", limits.SEARCH_MAX_LENGTH, [find(query("/v1/links", "search"), "maxLength")]],
    ["shares", limits.SHARES_MAX, [schema("NewRoutingRule.properties.split.maxItems")]],
    ["languages", limits.LANGUAGES_MAX, [schema("VisitorDescription.properties.languages.maxItems")]],
    [
      "values of breakdowns",
      limits.VALUES_MAX,
      ["/v1/analytics/breakdown", "/v1/bio/pages/{page_id}/analytics/breakdown"].map((path) =>
        find(query(path, "limit"), "maximum"),
      ),
    ],
    ["blocks of pages", limits.BLOCKS_MAX, [schema("PageData.properties.links.maxItems")]],
    [
      "labels of blocks",
      limits.BLOCK_LABEL_MAX_LENGTH,
      [schema("PageData.properties.links.items.properties.label.maxLength")],
    ],
    ["profiles of pages", limits.SOCIALS_MAX, [schema("PageData.properties.socials.maxItems")]],
    [
      "titles of pages",
      limits.PAGE_TITLE_MAX_LENGTH,
      [
        body("post", "/v1/bio/pages", "properties.title.maxLength"),
        schema("PageData.properties.avatar_alt.maxLength"),
        schema("PageData.properties.seo.properties.title.maxLength"),
      ],
    ],
    [
      "descriptions of pages",
      limits.PAGE_DESCRIPTION_MAX_LENGTH,
      [
        body("post", "/v1/bio/pages", "properties.description.maxLength"),
        schema("PageData.properties.seo.properties.description.maxLength"),
      ],
    ],
    [
      "names of endpoints",
      limits.ENDPOINT_NAME_MAX_LENGTH,
      [body("post", "/v1/webhooks", "properties.description.maxLength")],
    ],
    ["names of keys", limits.KEY_NAME_MAX_LENGTH, [schema("NewKey.properties.name.maxLength")]],
    ["titles of reports", limits.REPORT_TITLE_MAX_LENGTH, [schema("NewReport.properties.title.maxLength")]],
    ["links of reports", limits.REPORT_LINKS_MAX, [schema("NewReport.properties.links.maxItems")]],
    [
      "names of templates",
      limits.TEMPLATE_NAME_MAX_LENGTH,
      [body("post", "/v1/qr/templates", "properties.name.maxLength")],
    ],
    ["files", FILE_MAX_BYTES, [schema("NewAsset.properties.file_size.maximum")]],
  ])("%s", (_, limit, expected) => {
    expect(expected).toEqual(expected.map(() => limit));
  });

  test("digits of a QR code", () => {
    const build = (length: number) => buildSymbol("7".repeat(length), "L", null);
    expect(() => build(limits.QR_TEXT_MAX_LENGTH)).not.toThrow();
    expect(() => build(limits.QR_TEXT_MAX_LENGTH + 1)).toThrow();
  });

  test("items of one call of each list with a cursor", async () => {
    const lists = Object.keys(paths).filter((path) => readQuery(path, "before") && readQuery(path, "limit"));
    expect(lists).toContain("/v1/links");
    let asked = 0;
    const client = createSignpostClient({
      apiUrl: "https://api.example",
      key: "svc_pk_test",
      async fetch({ url }) {
        asked = Number(new URL(url).searchParams.get("limit"));
        return Response.json({ data: [], meta: {} });
      },
    });
    for (const path of lists) {
      await listAll(client, path as "/v1/links").next();
      expect(asked, path).toBe(Math.min(100, Number(find(query(path, "limit"), "maximum"))));
    }
  });
});
