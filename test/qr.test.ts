import jsQR from "jsqr";
import { afterEach, expect, test, vi } from "vitest";
import { linkAnswer } from "../src/links/links.schema.ts";
import { resolveDesign } from "../src/qr/design.ts";
import { renderPng } from "../src/qr/png.ts";
import { symbolFor } from "../src/qr/symbol.ts";
import { dataOf, errorOf, newWorkspace, type TestWorkspace } from "./support/harness.ts";
import { readPng } from "./support/png.ts";

const generate = (w: TestWorkspace, body: unknown) => w.call("POST", "/v1/qr/generate", { body });
async function textIn(r: Response) {
  const { data, width, height } = await readPng(new Uint8Array(await r.arrayBuffer()));
  return jsQR(data, width, height)?.data;
}
afterEach(() => {
  vi.unstubAllGlobals();
});

test("link", async () => {
  const w = await newWorkspace();
  const { data: link } = await dataOf(
    await w.call("POST", "/v1/links", { body: { url: "https://example.com/" } }),
    linkAnswer,
    201,
  );
  const r = await w.call("GET", `/v1/links/${link.id}/qr?format=png`);
  console.log(r.status, Object.fromEntries(r.headers));
  expect(await textIn(r)).toBe(link.short_url);
  const s = await w.call("GET", `/v1/links/${link.id}/qr`);
  console.log((await s.text()).slice(0, 300));
  console.log(await errorOf(await w.call("GET", `/v1/links/x/qr`), 404, "not_found"));
  console.log(await errorOf(await w.call("GET", `/v1/links/${link.id}/qr?size=51`), 400, "validation_error"));
  expect((await w.call("DELETE", `/v1/links/${link.id}`)).status).toBe(200);
});

test("logo", async () => {
  const w = await newWorkspace();
  const logo = await renderPng(
    symbolFor("logo", "L", null),
    resolveDesign({ foreground_color: "#f00" }),
    4,
    null,
  );
  const fetches = vi.fn(async () => new Response(logo));
  vi.stubGlobal("fetch", fetches);
  const body = {
    content: "https://example.com/logo",
    format: "png",
    design: { logo_url: "https://example.com/logo.png", logo_size: 0.3 },
  };
  const r = await generate(w, body);
  console.log(r.status, Object.fromEntries(r.headers));
  expect(await textIn(r)).toBe(body.content);
  expect((await generate(w, { ...body, format: "svg" })).status).toBe(200);
  expect(fetches).toHaveBeenCalledTimes(1);
});
