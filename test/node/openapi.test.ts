import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { routes } from "../../src/api.ts";
import { writeOpenApiDocument } from "../../src/openapi/document.ts";

test("the OpenAPI document passes Redocly's recommended rules", async () => {
  const document = writeOpenApiDocument({
    apiUrl: "https://api.signpost.example",
    operations: routes.map(({ operation }) => operation),
  });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "openapi.json",
    config: await createConfig({ extends: ["recommended"], telemetry: "off" }),
  });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`),
  ).toEqual([]);
});
