import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { routes } from "../../src/api.ts";
import { writeOpenApiDocument } from "../../src/openapi/document.ts";
import type { OperationObject } from "../../src/openapi/objects.ts";
import { listLowercaseCodes, listQuotaForms } from "../../src/openapi/variants.ts";
import { IS_LONG } from "../support/long-tests.ts";

const operations = routes.map(({ operation }) => operation);
const document = writeOpenApiDocument({
  apiUrl: "https://api.signpost.example",
  appUrl: "https://app.signpost.example",
  operations,
});

/** Configuration of Redocly. It is passed as text, because comparing an object with its types takes TypeScript two seconds. */
const REDOCLY = {
  extends: ["recommended"],
  rules: {
    // `external` is no link id, so `/v1/links/external/{external_id}` and `/v1/links/{link_id}/qr` are distinct.
    "no-ambiguous-paths": "off",
    // `node/examples` validates the same examples in a tenth of the time.
    ...(!IS_LONG && { "no-invalid-media-type-examples": "off" }),
  },
  telemetry: "off",
};

test("the OpenAPI document passes Redocly's recommended rules", async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "openapi.json",
    config: await createConfig(JSON.stringify(REDOCLY)),
  });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`),
  ).toEqual([]);
});

describe("names from which code generators form identifiers", () => {
  const { paths, webhooks, components, tags } = document;
  const documented = [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) =>
    Object.values(item),
  ) as OperationObject[];

  test.each([
    ["schemas", Object.keys(components.schemas)],
    ["responses", Object.keys(components.responses)],
    ["headers", Object.keys(components.headers)],
    ["operations", documented.map(({ operationId }) => operationId)],
    // Tags are also headings, so they may have spaces.
    ["tags", tags.map(({ name }) => name.replaceAll(" ", ""))],
  ])("%s start with a letter, have only letters and digits, and differ in more than case", (_, names) => {
    expect(names.filter((name) => !/^[A-Za-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
    const lowercase = names.map((name) => name.toLowerCase());
    expect(new Set(lowercase).size).toBe(names.length);
  });
});

describe("differences between operations", () => {
  const { description } = document.info;
  const [unixTime, isoTime] = listQuotaForms(operations);

  test("the introduction describes each operation's shape of meta.rate_limit", () => {
    for (const { id, tag, rateLimit, data } of operations) {
      const form = rateLimit === "A" ? unixTime : isoTime;
      const other = rateLimit === "A" ? isoTime : unixTime;
      const isListed = (list = "") => list.includes(tag) || list.includes(`\`${id}\``);
      const isJson = data !== undefined;
      expect([id, isJson && isListed(form?.operations)]).toEqual([id, isJson]);
      expect([id, isJson && isListed(other?.operations)]).toEqual([id, false]);
    }
    for (const form of [unixTime, isoTime]) {
      expect(description).toContain(`${form?.fields} in ${form?.operations} (schema \`${form?.schema}\`)`);
    }
  });

  test("a tag whose operations use both shapes is not listed, but its operations are", () => {
    const common = { summary: "", method: "get", path: "/", scope: "links:read", data: z.string() } as const;
    const mixed = listQuotaForms([
      { ...common, id: "first", tag: "Links", rateLimit: "A" },
      { ...common, id: "second", tag: "Links", rateLimit: "B" },
      { ...common, id: "third", tag: "Assets", rateLimit: "B" },
    ]);
    expect(mixed.map(({ operations }) => operations)).toEqual(["`first`", "`second` and Assets"]);
  });

  test("the introduction names every operation with lower-case error codes", () => {
    const isLowercaseCode = (value: unknown) => /^[a-z]+(?:_[a-z]+)*$/.test(String(value));
    const withLowercase = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .filter(({ responses }) => {
        const resolved = JSON.stringify(responses).replaceAll(
          /\{"\$ref":"#\/components\/(schemas|responses)\/(\w+)"\}/g,
          (_, kind: "schemas" | "responses", name: string) => JSON.stringify(document.components[kind][name]),
        );
        return [...resolved.matchAll(/"(?:code|error)":\{"type":"string","enum":(\[[^\]]*\])/g)].some(
          ([, codes = "[]"]) => JSON.parse(codes).every(isLowercaseCode),
        );
      });
    const listed = listLowercaseCodes(operations).map(({ operationId }) => operationId);
    expect(listed.sort()).toEqual(withLowercase.map(({ operationId }) => operationId).sort());
    expect(listed).toEqual(["bulkCreateLinks", "bulkUpdateLinks", "getLinkQr"]);
    for (const { operationId, codes } of listLowercaseCodes(operations)) {
      expect(description).toContain(`\`${operationId}\` returns ${codes}`);
    }
  });
});
