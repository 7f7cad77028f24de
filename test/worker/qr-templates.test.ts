import jsQR from "jsqr";
import { expect, test } from "vitest";
import * as z from "zod";
import { templateResponse } from "../../src/qr/templates.schema.ts";
import { createLink, expectData, expectError, newWorkspace, type TestWorkspace } from "../support/harness.ts";
import { readPng } from "../support/png.ts";

const PATH = "/v1/qr/templates";

async function createTemplate(workspace: TestWorkspace, body: Record<string, unknown> = {}) {
  const response = await workspace.call("POST", PATH, { body: { name: "Brand", ...body } });
  return (await expectData(response, templateResponse, 201)).data;
}

const getTemplate = async (workspace: TestWorkspace, id: string) =>
  (await expectData(await workspace.call("GET", `${PATH}/${id}`), templateResponse)).data;
const updateTemplate = async (workspace: TestWorkspace, id: string, body: unknown) =>
  (await expectData(await workspace.call("PATCH", `${PATH}/${id}`, { body }), templateResponse)).data;

test("POST /v1/qr/templates only stores the members that were set", async () => {
  const workspace = await newWorkspace();
  const design = { foreground_color: "#1A73e8", dot_style: "rounded", logo_size: 0.25, quiet_zone: 0 };
  const created = await createTemplate(workspace, { description: "House style", design });
  expect(created).toMatchObject({ name: "Brand", description: "House style", design });
  expect(created.created_at).toBe(created.updated_at);
  expect(await getTemplate(workspace, created.id)).toEqual(created);
  expect(await createTemplate(workspace)).toMatchObject({ description: "", design: {} });
});

test("responses of /v1/qr/templates have meta.rate_limit with remaining and reset_at", async () => {
  const workspace = await newWorkspace();
  const { id } = await createTemplate(workspace);
  for (const [method, path, body] of [
    ["GET", PATH, undefined],
    ["GET", `${PATH}/${id}`, undefined],
    ["PATCH", `${PATH}/${id}`, {}],
    ["DELETE", `${PATH}/${id}`, undefined],
  ] as const) {
    const response = await workspace.call(method, path, { body });
    const { meta } = await expectData(response, z.any());
    expect(Object.keys(meta.rate_limit).sort()).toEqual(["remaining", "reset_at"]);
  }
});

test("PATCH /v1/qr/templates/{template_id} merges the design, and null removes a member", async () => {
  const workspace = await newWorkspace();
  const design = { foreground_color: "#112233", dot_style: "dots", quiet_zone: 4 };
  const { id, created_at } = await createTemplate(workspace, { design });
  const changed = await updateTemplate(workspace, id, { design: { dot_style: "classy", quiet_zone: null } });
  expect(changed).toMatchObject({ name: "Brand", created_at });
  expect(changed.design).toEqual({ foreground_color: "#112233", dot_style: "classy" });
  expect(await updateTemplate(workspace, id, { name: "New", description: "d" })).toMatchObject({
    name: "New",
    description: "d",
    design: changed.design,
  });
});

test("PATCH /v1/qr/templates/{template_id} with an empty body changes nothing", async () => {
  const workspace = await newWorkspace();
  const created = await createTemplate(workspace, { design: { quiet_zone: 2 } });
  expect(await updateTemplate(workspace, created.id, {})).toEqual(created);
  expect(await getTemplate(workspace, created.id)).toEqual(created);
});

test("concurrent changes of different members are all stored", async () => {
  const workspace = await newWorkspace("enterprise");
  const { id } = await createTemplate(workspace);
  const members = {
    foreground_color: "#123",
    background_color: "#eee",
    corner_color: "#321",
    error_correction: "H",
    dot_style: "dots",
    corner_style: "dot",
    logo_size: 0.3,
    quiet_zone: 3,
  };
  await Promise.all(
    Object.entries(members).map(([name, member]) =>
      updateTemplate(workspace, id, { design: { [name]: member } }),
    ),
  );
  expect((await getTemplate(workspace, id)).design).toEqual(members);
});

test("colours with too little contrast are rejected on creation and after a merge", async () => {
  const workspace = await newWorkspace();
  const { id } = await createTemplate(workspace, { design: { background_color: "#000" } }).catch(() => ({
    id: "",
  }));
  expect(id).toBe("");
  const dark = await createTemplate(workspace, {
    design: { background_color: "#000", foreground_color: "#fff" },
  });
  for (const design of [{ foreground_color: "#000000" }, { foreground_color: null }]) {
    const response = await workspace.call("PATCH", `${PATH}/${dark.id}`, { body: { design } });
    const error = await expectError(response, 400, "VALIDATION_ERROR");
    expect(error.message).toBe(
      "design.foreground_color: must have a contrast ratio of at least 2 to background_color; #000000 on #000000 has 1",
    );
  }
  expect(await getTemplate(workspace, dark.id)).toEqual(dark);
});

test("meta.warnings contains the warnings of a created or changed design", async () => {
  const workspace = await newWorkspace();
  const create = async (design?: object) => {
    const response = await workspace.call("POST", PATH, { body: { name: "x", design } });
    return expectData(response, templateResponse, 201);
  };
  expect((await create()).meta.warnings).toBeUndefined();
  expect((await create({ foreground_color: "#666" })).meta.warnings).toBeUndefined();
  const { data, meta } = await create({ foreground_color: "#999" });
  const lowContrast =
    "design.foreground_color #999999 on background_color #ffffff has a contrast ratio of 2.84: some scanners need 3.";
  expect(meta.warnings).toEqual([lowContrast]);

  const update = async (body: object) => {
    const response = await workspace.call("PATCH", `${PATH}/${data.id}`, { body });
    return (await expectData(response, templateResponse)).meta.warnings;
  };
  expect(await update({ name: "y" })).toBeUndefined();
  expect(await update({ design: { quiet_zone: 0, corner_color: "#888" } })).toEqual([
    lowContrast,
    "design.quiet_zone is 0: leave a margin in the background colour around the code, or scanners may not find it.",
  ]);
  expect(
    await update({ design: { foreground_color: null, corner_color: null, quiet_zone: 2 } }),
  ).toBeUndefined();
});

test("a template that was stored before a colour rule was added is not rendered", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const { id } = await createTemplate(workspace);
  await workspace.shard
    .prepare("UPDATE qr_templates SET design = ? WHERE id = ?")
    .bind(JSON.stringify({ foreground_color: "#eee" }), id)
    .run();
  const response = await workspace.call("GET", `/v1/links/${link.id}/qr?template_id=${id}`);
  const error = await expectError(response, 400, "validation_error");
  expect(error.message).toMatch(/^design\.foreground_color: must have a contrast ratio of at least 2 /);
});

test.each([
  [{}, "name: is required"],
  [{ name: "" }, "name: must have at least 1 character"],
  [{ name: "x".repeat(201) }, "name: must have at most 200 characters"],
  [{ name: "x", description: "x".repeat(1_001) }, "description: must have at most 1000 characters"],
  [{ name: "x", design: { dot_style: "round" } }, /^design\.dot_style: must be one of /],
  [{ name: "x", design: { quiet_zone: null } }, "design.quiet_zone: must be a number"],
  [{ name: "x", colour: "red" }, "colour: is not a known field"],
])("POST /v1/qr/templates rejects %j with 400", async (body, message) => {
  const workspace = await newWorkspace();
  const error = await expectError(await workspace.call("POST", PATH, { body }), 400, "VALIDATION_ERROR");
  expect(error.message).toMatch(message);
});

test("GET /v1/qr/templates lists newest first, in pages", async () => {
  const workspace = await newWorkspace();
  for (const name of ["one", "two", "three"]) await createTemplate(workspace, { name });
  await createTemplate(await newWorkspace());
  const listNames = async (query: string) => {
    const { data, meta } = await expectData(
      await workspace.call("GET", `${PATH}?${query}`),
      z.array(templateResponse),
    );
    return [data.map(({ name }) => name).join(), meta.total, meta.limit, meta.offset];
  };
  expect(await listNames("")).toEqual(["three,two,one", 3, 50, 0]);
  expect(await listNames("limit=1&offset=1")).toEqual(["two", 3, 1, 1]);
  await expectError(await workspace.call("GET", `${PATH}?limit=201`), 400, "VALIDATION_ERROR");
});

test("an id that is unknown, malformed or from another workspace returns 404", async () => {
  const workspace = await newWorkspace();
  const { id } = await createTemplate(await newWorkspace());
  for (const unknown of [id, "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f", "x"]) {
    for (const [method, body] of [
      ["GET", undefined],
      ["PATCH", { name: "x" }],
      ["PATCH", {}],
      ["DELETE", undefined],
    ] as const) {
      await expectError(
        await workspace.call(method, `${PATH}/${unknown}`, { body }),
        404,
        "RESOURCE_NOT_FOUND",
      );
    }
  }
});

test("concurrent creations stay within the plan's cap, and a deletion makes room for one", async () => {
  const workspace = await newWorkspace("pro");
  const other = workspace.as(await workspace.newKey());
  const third = workspace.as(await workspace.newKey());
  const responses = await Promise.all(
    [workspace, other, third].flatMap((caller) =>
      Array.from({ length: 8 }, () => caller.call("POST", PATH, { body: { name: "x" } })),
    ),
  );
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(20);
  expect(statuses.filter((status) => status === 403)).toHaveLength(4);
  const rejected = responses.find(({ status }) => status === 403) as Response;
  expect((await expectError(rejected, 403, "PLAN_LIMIT_EXCEEDED")).message).toBe(
    "The pro plan allows 20 QR templates.",
  );
  const created = responses.find(({ status }) => status === 201) as Response;
  const { data } = await expectData(created, templateResponse, 201);
  const key = workspace.as(await workspace.newKey());
  const deleted = await Promise.all([1, 2].map(() => key.call("DELETE", `${PATH}/${data.id}`)));
  expect(deleted.map(({ status }) => status).sort()).toEqual([200, 404]);
  const again = await Promise.all([1, 2].map(() => key.call("POST", PATH, { body: { name: "x" } })));
  expect(again.map(({ status }) => status).sort()).toEqual([201, 403]);
});

test("QR operations require the scopes qr:read, qr:write and qr:render", async () => {
  const workspace = await newWorkspace();
  const { id } = await createTemplate(workspace);
  const reader = workspace.as(await workspace.newKey({ scopes: ["qr:read"] }));
  const renderer = workspace.as(await workspace.newKey({ scopes: ["qr:render"] }));
  expect((await reader.call("GET", PATH)).status).toBe(200);
  await expectError(await reader.call("DELETE", `${PATH}/${id}`), 403, "INSUFFICIENT_SCOPE");
  await expectError(await renderer.call("GET", `${PATH}/${id}`), 403, "INSUFFICIENT_SCOPE");
  expect((await renderer.call("POST", "/v1/qr/generate", { body: { content: "x" } })).status).toBe(200);
  await expectError(
    await reader.call("POST", "/v1/qr/generate", { body: { content: "x" } }),
    403,
    "INSUFFICIENT_SCOPE",
  );
});

test("GET /v1/links/{link_id}/qr uses the design of template_id, and returns 404 without the template", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const { id } = await createTemplate(workspace, {
    design: { foreground_color: "#a00", error_correction: "H", dot_style: "rounded", quiet_zone: 3 },
  });
  const path = `/v1/links/${link.id}/qr?format=png&template_id=${id}`;
  const response = await workspace.call("GET", path);
  expect(response.headers.get("X-QR-Error-Correction")).toBe("H");
  const { data, width, height, colorType } = await readPng(new Uint8Array(await response.arrayBuffer()));
  expect(colorType).toBe(3);
  expect(width).toBe((17 + 4 * Number(response.headers.get("X-QR-Version")) + 6) * 10);
  expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
  expect(jsQR(data, width, height)?.data).toBe(link.short_url);
  await workspace.call("DELETE", `${PATH}/${id}`);
  await expectError(await workspace.call("GET", path), 404, "not_found");
  const { id: foreign } = await createTemplate(await newWorkspace());
  const other = await workspace.call("GET", `/v1/links/${link.id}/qr?template_id=${foreign}`);
  await expectError(other, 404, "not_found");
});
