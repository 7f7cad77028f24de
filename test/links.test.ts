import { expect, test } from "vitest";
import { linkAnswer } from "../src/links/links.schema.ts";
import { dataOf, eventually, newWorkspace } from "./support/harness.ts";

test("a link is created, redirects and is counted", async () => {
  const workspace = await newWorkspace();
  const created = await workspace.call("POST", "/v1/links", { body: { url: "https://example.com/a b" } });
  const { data: link } = await dataOf(created, linkAnswer, 201);
  expect(link.short_code).toMatch(/^[2-9A-HJ-NP-Za-km-z]{7}$/);

  const visit = await workspace.visit(`/${link.short_code}`);
  expect(visit.status).toBe(302);
  expect(visit.headers.get("Location")).toBe("https://example.com/a%20b");

  const readLink = async () =>
    (await dataOf(await workspace.call("GET", `/v1/links/${link.id}`), linkAnswer)).data;
  const counted = await eventually(readLink, ({ scan_count }) => scan_count > 0);
  expect(counted.scan_count).toBe(1);
});
