import { expect, test } from "vitest";
import * as z from "zod";
import { type LinkResponse, linkResponse } from "../../src/links/link-response.ts";
import { createLink, expectData, expectError, newWorkspace, type TestWorkspace } from "../support/harness.ts";

const URL = "https://example.com/";

function put(workspace: TestWorkspace, externalId: string, body: object): Promise<Response> {
  return workspace.call("PUT", `/v1/links/external/${encodeURIComponent(externalId)}`, { body });
}

async function upsert(workspace: TestWorkspace, body: object, status = 200): Promise<LinkResponse> {
  return (await expectData(await put(workspace, "order/47 %é", body), linkResponse, status)).data;
}

test("PUT /v1/links/external/{external_id} creates a link, then changes the fields in the body", async () => {
  const workspace = await newWorkspace();
  const created = await upsert(workspace, { url: URL, title: "One", labels: ["a"] }, 201);
  expect(created).toMatchObject({ external_id: "order/47 %é", title: "One" });
  const body = {
    url: `${URL}2`,
    external_id: "order/47 %é",
    title: "Two",
    created_at: "2020-01-01T00:00:00Z",
  };
  const updated = await upsert(workspace, body);
  expect(updated).toMatchObject({ id: created.id, destination: `${URL}2`, title: "Two", labels: ["a"] });
  expect(updated.created_at).toBe(created.created_at);
  // Without a change, nothing is written.
  expect(await upsert(workspace, body)).toEqual(updated);
  expect((await upsert(workspace, { ...body, password: "secret-1" })).has_password).toBe(true);
  const { data } = await (await workspace.call("GET", `/v1/links/${created.id}/history`)).json<{
    data: { operation: string }[];
  }>();
  expect(data.map(({ operation }) => operation)).toEqual(["upsertLink", "upsertLink", "upsertLink"]);
});

test("PUT with an external id renames the link, and its repetition keeps the former code", async () => {
  const workspace = await newWorkspace();
  await upsert(workspace, { url: URL, custom_slug: "first", aliases: ["x"] }, 201);
  const body = { url: URL, custom_slug: "second", aliases: ["y"] };
  const renamed = await upsert(workspace, body);
  expect(renamed).toMatchObject({ short_code: "second", aliases: ["y", "first"] });
  expect(await upsert(workspace, body)).toEqual(renamed);
  expect(await upsert(workspace, { url: URL, aliases: [] })).toMatchObject({ aliases: ["first"] });
  expect((await workspace.visit("/FIRST")).headers.get("Location")).toBe(URL);
});

test("20 parallel calls of PUT with one external id create one link", async () => {
  const workspace = await newWorkspace("enterprise");
  const calls = Array.from({ length: 20 }, (_, n) =>
    put(workspace, "one", { url: `${URL}${n}`, custom_slug: "wanted" }),
  );
  const responses = await Promise.all(calls);
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
  const links = await expectData(await workspace.call("GET", "/v1/links"), z.array(linkResponse));
  expect(links.data).toMatchObject([{ external_id: "one", short_code: "wanted", aliases: [] }]);
});

test("PUT with an external id rejects what a creation or an update rejects, and another id in the body", async () => {
  const workspace = await newWorkspace();
  await createLink(workspace, { custom_slug: "taken" });
  const taken = { url: URL, custom_slug: "TAKEN" };
  await expectError(await put(workspace, "a", taken), 409, "SLUG_TAKEN");
  await put(workspace, "a", { url: URL });
  await expectError(await put(workspace, "a", taken), 409, "SLUG_TAKEN");
  for (const [id, body] of [
    ["a", { url: URL, external_id: "b" }],
    ["a", { title: "No destination" }],
    ["x".repeat(256), { url: URL }],
    ["a\0", { url: URL }],
  ] as const) {
    await expectError(await put(workspace, id, body), 400, "VALIDATION_ERROR");
  }
  // A fixed segment of another path is an id like any other.
  expect((await put(workspace, "resolve", { url: URL })).status).toBe(201);
});
