import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import jsQR from "jsqr";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import worker from "../../src/index.ts";
import { resolveDesign } from "../../src/qr/design.ts";
import { renderPdf } from "../../src/qr/pdf.ts";
import { renderPng } from "../../src/qr/png.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { templateResponse } from "../../src/qr/templates.schema.ts";
import { PLANS } from "../../src/tenant/plans.ts";
import { usageResponse } from "../../src/workspace/workspace.schema.ts";
import { createPublishedAsset } from "../support/assets.ts";
import {
  addDomain,
  createLink,
  eventually,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import {
  buildWebpHeader,
  countColor,
  decodeBase64,
  expectDrawnLogo,
  generateQr,
  generateWithLogo,
  nextLogoUrl,
  readPngBody,
  scanPng,
  serveLogo,
} from "../support/logos.ts";
import { buildVisit } from "../support/redirects.ts";

const UNKNOWN_ID = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f";

const countRenderedLinks = async (workspace: TestWorkspace) =>
  (await workspace.shard
    .prepare("SELECT used FROM usage_counters WHERE workspace_id = ? AND resource = 'dynamic_qr'")
    .bind(workspace.id)
    .first<number>("used")) ?? 0;

test("GET /v1/links/{link_id}/qr encodes the short URL, as SVG by default", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { custom_slug: "Summer-Sale" });
  const svg = await workspace.call("GET", `/v1/links/${link.id}/qr`);
  expect(svg.status).toBe(200);
  expect(svg.headers.get("Content-Type")).toBe("image/svg+xml");
  expect(svg.headers.get("Content-Disposition")).toBe('inline; filename="Summer-Sale.svg"');
  expect(svg.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  for (const name of ["Limit", "Remaining", "Reset", "Burst-Limit", "Burst-Remaining"]) {
    expect(svg.headers.get(`X-RateLimit-${name}`), name).toMatch(/^\d+$/);
  }
  expect(await svg.text()).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="350" height="350" /,
  );

  const png = await workspace.call("GET", `/v1/links/${link.id}/qr?format=png&size=7`);
  expect(png.headers.get("Content-Type")).toBe("image/png");
  expect(png.headers.get("Content-Disposition")).toBe('inline; filename="Summer-Sale.png"');
  expect(png.headers.get("X-QR-Error-Correction")).toBe("M");
  expect(png.headers.get("X-QR-Version")).toBe("4");
  expect(png.headers.get("X-QR-Warning")).toBe("only-this-machine");
  expect(await scanPng(png)).toBe(link.short_url);
});

test("GET /v1/links/{link_id}/qr?compact=true encodes an upper-case URL that opens the link", async () => {
  const workspace = await newWorkspace();
  const body = { name: "Small", design: { compact: true } };
  const created = await workspace.call("POST", "/v1/qr/templates", { body });
  const { id: template } = (await expectData(created, templateResponse, 201)).data;
  const host = `HTTP://${workspace.hostname.toUpperCase()}:8787`;
  for (const [custom_slug, path] of [
    ["Summer-Sale", "/SUMMER-SALE"],
    ["SALE-24", "/SALE-24/"],
  ]) {
    const link = await createLink(workspace, { custom_slug });
    const scan = async (query: string) =>
      scanPng(await workspace.call("GET", `/v1/links/${link.id}/qr?format=png${query}`));
    expect(await scan("&compact=true")).toBe(host + path);
    expect(await scan(`&template_id=${template}`)).toBe(host + path);
    expect(await scan(`&template_id=${template}&compact=false`)).toBe(link.short_url);
    const visited = await worker.fetch(
      buildVisit(workspace, path as string) as Parameters<typeof worker.fetch>[0],
      workerEnv,
      createExecutionContext(),
    );
    expect([visited.status, visited.headers.get("Location")]).toEqual([302, link.destination]);
  }
});

test("the QR code of a link has the design of its template until the template is deleted", async () => {
  const workspace = await newWorkspace();
  const create = async (background_color: string) => {
    const body = { name: "Card", design: { background_color } };
    return (
      await expectData(await workspace.call("POST", "/v1/qr/templates", { body }), templateResponse, 201)
    ).data.id;
  };
  const [own, other] = [await create("#ffeedd"), await create("#ddeeff")];
  const link = await createLink(workspace, { qr_template_id: own });
  expect(link.qr_template_id).toBe(own);
  const readBackground = async (query = "") => {
    const svg = await (await workspace.call("GET", `/v1/links/${link.id}/qr${query}`)).text();
    return /<path fill="(#\w+)"/.exec(svg)?.[1];
  };
  expect(await readBackground()).toBe("#ffeedd");
  expect(await readBackground(`?template_id=${other}`)).toBe("#ddeeff");
  const path = `/v1/qr/templates/${own}`;
  await workspace.call("DELETE", path);
  expect(await readBackground()).toBe("#ffffff");
  await workspace.call("POST", `${path}/restore`);
  expect(await readBackground()).toBe("#ffeedd");
});

async function expectRefused(response: Response, message: string): Promise<void> {
  expect((await expectError(response, 400, "VALIDATION_ERROR")).message).toContain(message);
}

test("frames: the link's code has the frame of its template or of the query, and texts without outlines are refused", async () => {
  const workspace = await newWorkspace();
  const readSize = async (response: Response) => {
    expect(response.status).toBe(200);
    return (
      /width="(\d+)" height="(\d+)"/
        .exec(await response.text())
        ?.slice(1)
        .map(Number) ?? []
    );
  };
  const body = { name: "Card", design: { frame: { style: "label-below", color: "#ffd54f" } } };
  const created = await workspace.call("POST", "/v1/qr/templates", { body });
  const { data, meta } = await expectData(created, templateResponse, 201);
  expect(data.design).toEqual(body.design);
  expect(meta.warnings).toEqual([expect.stringContaining("the frame is hard to see")]);
  const link = await createLink(workspace, { qr_template_id: data.id });
  const path = `/v1/links/${link.id}/qr`;
  const [width = 0, height = 0] = await readSize(await workspace.call("GET", path));
  expect(height).toBeGreaterThan(width);
  const balloon = await workspace.call("GET", `${path}?frame_style=balloon&frame_text=Hi&frame_color=%23000`);
  expect((await readSize(balloon))[0]).toBeGreaterThan(width);
  const generated = { content: "x", design: { frame: { style: "border", color: "#ffd54f" } } };
  const drawn = await workspace.call("POST", "/v1/qr/generate", { body: generated });
  expect(drawn.headers.get("X-QR-Warning")).toBe("low-contrast-frame");
  const alone = await workspace.call("GET", `${path}?frame_text=Hi`);
  expect((await expectError(alone, 400, "validation_error")).message).toBe("frame_text: needs frame_style");
  const refused = "design.frame.text: “扫” (U+626B) cannot be drawn";
  const design = { frame: { style: "text", text: "Scan 扫码" } };
  for (const [method, target, unfit] of [
    ["POST", "/v1/qr/generate", { content: "x", design }],
    ["POST", "/v1/qr/templates", { name: "x", design }],
    ["PATCH", `/v1/qr/templates/${data.id}`, { design }],
  ] as const)
    await expectRefused(await workspace.call(method, target, { body: unfit }), refused);
  const large = { ...generated, format: "png", width: 4_096 };
  const tooLarge = await workspace.call("POST", "/v1/qr/generate", { body: large });
  await expectRefused(tooLarge, "for a PNG with a frame or logo");
  const whole = await workspace.call("POST", "/v1/qr/generate", {
    body: { ...generated, format: "png", width: 2_048 },
  });
  expect(whole.status).toBe(200);
});

test("GET /v1/links/{link_id}/qr honours If-None-Match with 304, and HEAD sends the same ETag", async () => {
  const workspace = await newWorkspace();
  const { id } = await createLink(workspace);
  const path = `/v1/links/${id}/qr?format=png`;
  const etag = (await workspace.call("GET", path)).headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const again = await workspace.call("GET", path, { headers: { "If-None-Match": tag } });
    expect(again.status, tag).toBe(304);
    expect(again.headers.get("ETag")).toBe(etag);
    expect((await again.arrayBuffer()).byteLength).toBe(0);
  }
  const larger = await workspace.call("GET", `${path}&size=11`, { headers: { "If-None-Match": etag } });
  expect(larger.status).toBe(200);
  const head = await workspace.call("HEAD", path);
  expect([head.status, head.headers.get("ETag")]).toEqual([200, etag]);
});

test("GET /v1/links/{link_id}/qr uses lower-case codes only for its own errors", async () => {
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  const { id } = await createLink(workspace);
  for (const unknown of ["x", UNKNOWN_ID, (await createLink(other)).id]) {
    await expectError(await workspace.call("GET", `/v1/links/${unknown}/qr`), 404, "not_found");
  }
  for (const [query, message] of [
    ["size=51", "size: must be at most 50"],
    ["size=0", "size: must be at least 1"],
    ["size=1.5", "size: must be a whole number"],
    ["format=gif", "format: must be one of svg, png, pdf"],
    ["width=63", "width: must be at least 64"],
    ["width=4097", "width: must be at most 4096"],
    ["width=100.5", "width: must be a whole number"],
    ["width=512&size=10", "width: must not be combined with size"],
    ["width_mm=40", "width_mm: only applies to format pdf, not to svg"],
    ["format=pdf&width_mm=9.9", "width_mm: must be at least 10"],
    ["format=pdf&width_mm=1000.5", "width_mm: must be at most 1000"],
    ["format=pdf&width_mm=1e2", "width_mm: must be a number"],
    ["format=pdf&size=10", "size: does not apply to format pdf; use width_mm"],
    ["format=pdf&width=512", "width: does not apply to format pdf; use width_mm"],
    ["colour=red", "colour: is not a known parameter"],
    ["template_id=x", "template_id: must be a UUID"],
  ]) {
    const error = await expectError(
      await workspace.call("GET", `/v1/links/${id}/qr?${query}`),
      400,
      "validation_error",
    );
    expect(error.message).toBe(message);
  }
  const reader = workspace.as(await workspace.newKey({ scopes: ["links:read"] }));
  await expectError(await reader.call("GET", `/v1/links/${id}/qr`), 403, "INSUFFICIENT_SCOPE");
  await expectError(await workspace.call("POST", `/v1/links/${id}/qr`), 405, "METHOD_NOT_ALLOWED");
  await expectError(await workspace.call("GET", "/v1/links/x"), 404, "RESOURCE_NOT_FOUND");
});

test("a link counts against dynamic_qr once under concurrent renders, and no longer after its deletion", async () => {
  const workspace = await newWorkspace("enterprise");
  const links = await Promise.all([createLink(workspace), createLink(workspace)]);
  await expectError(
    await workspace.call("GET", `/v1/links/${links[0].id}/qr?size=99`),
    400,
    "validation_error",
  );
  expect(await countRenderedLinks(workspace)).toBe(0);
  await Promise.all(
    links.flatMap(({ id }) =>
      [1, 2, 3, 4].map((size) => workspace.call("GET", `/v1/links/${id}/qr?size=${size}`)),
    ),
  );
  expect(await countRenderedLinks(workspace)).toBe(2);
  await Promise.all([1, 2].map(() => workspace.call("DELETE", `/v1/links/${links[0].id}`)));
  expect(await countRenderedLinks(workspace)).toBe(1);
  const unrendered = await createLink(workspace);
  await workspace.call("DELETE", `/v1/links/${unrendered.id}`);
  expect(await countRenderedLinks(workspace)).toBe(1);
});

test("GET /v1/links/{link_id}/qr returns 403 over the plan's cap, except for links that were rendered before", async () => {
  const workspace = await newWorkspace("pro");
  const links = [await createLink(workspace), await createLink(workspace), await createLink(workspace)];
  await workspace.shard
    .prepare(
      "INSERT INTO usage_counters (workspace_id, resource, cycle, used, cap) VALUES (?1, 'dynamic_qr', '', ?2, ?2)",
    )
    .bind(workspace.id, PLANS.pro.dynamicQr - 1)
    .run();
  const path = (index: number) => `/v1/links/${links[index]?.id}/qr`;
  const responses = await Promise.all([0, 1, 2].map((index) => workspace.call("GET", path(index))));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
  const allowed = responses.findIndex(({ status }) => status === 200);
  const rejected = responses.findIndex(({ status }) => status === 403);
  const error = await expectError(responses[rejected] as Response, 403, "PLAN_LIMIT_EXCEEDED");
  expect(error.message).toBe("The pro plan allows 500 links with a QR code.");
  expect((await workspace.call("GET", path(allowed))).status).toBe(200);
});

test("POST /v1/qr/generate encodes any text", async () => {
  const workspace = await newWorkspace();
  for (const content of [
    "https://example.com/",
    "0123456789",
    "HELLO WORLD",
    "Grüße 🎉 扫描",
    "a".repeat(1_000),
  ]) {
    expect(await scanPng(await generateQr(workspace, { content, format: "png", size: 4 }))).toBe(content);
  }
  const svg = await generateQr(workspace, { content: '</svg><script>alert("x")</script>' });
  expect(await svg.text()).not.toContain("script");
});

test("width and height of an image equal its modules and quiet zone times size", async () => {
  const workspace = await newWorkspace();
  for (const [size, quiet_zone] of [
    [1, 0],
    [10, 1],
    [50, 20],
  ] as const) {
    const side = (21 + 2 * quiet_zone) * size;
    const body = { content: "123", size, design: { quiet_zone } };
    const png = await generateQr(workspace, { ...body, format: "png" });
    expect(await readPngBody(png)).toMatchObject({ width: side, height: side });
    expect(await (await generateQr(workspace, body)).text()).toContain(`width="${side}" height="${side}"`);
  }
});

test("a PNG is exactly `width` pixels wide, with whole pixels per module and the rest in the quiet zone", async () => {
  const workspace = await newWorkspace();
  for (const [width, dot_style, size, start] of [
    [64, "square", 2, 11],
    [501, "square", 21, 30],
    [512, "dots", 22, 25],
    [4_096, "square", 178, 179],
  ] as const) {
    const body = { content: "123", width, design: { dot_style } };
    const png = await readPngBody(await generateQr(workspace, { ...body, format: "png" }));
    expect(png).toMatchObject({ width, height: width });
    // A scanner takes seconds for the widest image, so its modules are measured below instead.
    if (width < 4_096) expect(jsQR(png.data, width, width)?.data).toBe("123");
    const isDark = (x: number, y: number) => (png.data[(y * width + x) * 4] as number) < 128;
    // Ring of the upper left finder pattern, through the middle of its rows.
    const middle = start + Math.floor(size * 3.5);
    const dark = Array.from({ length: start + 7 * size }, (_, x) => x).filter((x) => isDark(x, middle));
    expect([dark[0], dark.length, dark.at(-1)]).toEqual([start, 5 * size, start + 7 * size - 1]);
    const svg = await (await generateQr(workspace, body)).text();
    expect(svg).toContain(`width="${width}" height="${width}" viewBox="0 0 23 23"`);
  }
});

test("GET /v1/links/{link_id}/qr accepts width", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace);
  const png = await workspace.call("GET", `/v1/links/${link.id}/qr?format=png&width=300`);
  const copy = png.clone();
  expect(await readPngBody(png)).toMatchObject({ width: 300, height: 300 });
  expect(await scanPng(copy)).toBe(link.short_url);
});

test("a PNG with a logo has the requested width, with the logo in the middle", async () => {
  const workspace = await newWorkspace();
  const png = await renderRedLogo();
  serveLogo(() => new Response(png));
  const body = { content: "https://example.com/logo", format: "png", width: 700 };
  const response = await generateQr(workspace, {
    ...body,
    design: { logo_url: nextLogoUrl(), logo_size: 0.2, corner_color: "#04c" },
  });
  const copy = response.clone();
  expect(await scanPng(copy)).toBe(body.content);
  const { data, width } = await readPngBody(response);
  expect(width).toBe(700);
  const [left, right] = [
    data.findIndex((value, i) => i % 4 === 0 && value === 0xc0 && data[i + 1] === 0),
    data.findLastIndex((value, i) => i % 4 === 0 && value === 0xc0 && data[i + 1] === 0),
  ].map((index) => Math.floor(index / 4 / 700)) as [number, number];
  expect(Math.abs(left + right - 699)).toBeLessThanOrEqual(2);
  expect(countColor(data, [0, 0x44, 0xcc])).toBeGreaterThan(1_000);
});

test("GET /v1/links/{link_id}/qr?format=pdf returns a page measured in millimetres", async () => {
  const workspace = await newWorkspace();
  const link = await createLink(workspace, { custom_slug: "Menu" });
  for (const [query, points] of [
    ["", "113.385827"],
    ["&width_mm=62.5", "177.165354"],
  ]) {
    const path = `/v1/links/${link.id}/qr?format=pdf${query}`;
    const response = await workspace.call("GET", path);
    expect(response.headers.get("Content-Type")).toBe("application/pdf");
    expect(response.headers.get("Content-Disposition")).toBe('inline; filename="Menu.pdf"');
    const text = new TextDecoder("latin1").decode(await response.arrayBuffer());
    expect(text).toMatch(/^%PDF-1\.4\n/);
    expect(text).toContain(`/MediaBox [0 0 ${points} ${points}]`);
    expect(text).toMatch(/%%EOF\n$/);
    const etag = response.headers.get("ETag") ?? "";
    expect((await workspace.call("GET", path, { headers: { "If-None-Match": etag } })).status).toBe(304);
  }
});

test("POST /v1/qr/generate returns the PDF that renderPdf draws", async () => {
  const workspace = await newWorkspace();
  const design = { dot_style: "dots", corner_style: "dot", corner_color: "#1a73e8" } as const;
  const body = { content: "https://example.com/", format: "pdf", width_mm: 80, design };
  const response = await generateQr(workspace, body);
  expect(response.headers.get("Content-Disposition")).toBe('inline; filename="qr.pdf"');
  const drawn = await renderPdf(buildSymbol(body.content, "M", null), resolveDesign(design), 80, null);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(drawn);
});

test("POST /v1/qr/generate draws in the colours of the design", async () => {
  const workspace = await newWorkspace();
  const design = { foreground_color: "#F00", background_color: "#0000ff", quiet_zone: 1 };
  for (const dot_style of ["square", "rounded"]) {
    const png = await readPngBody(
      await generateQr(workspace, { content: "123", format: "png", design: { ...design, dot_style } }),
    );
    expect([...png.data.subarray(0, 4)]).toEqual([0, 0, 255, 255]);
    const middle = (15 * png.width + 45) * 4;
    expect([...png.data.subarray(middle, middle + 4)]).toEqual([255, 0, 0, 255]);
  }
  const svg = await (await generateQr(workspace, { content: "123", design })).text();
  expect(svg).toContain('stroke="#ff0000"');
  expect(svg).toContain('fill="#0000ff"');
});

test("X-QR-Warning lists possible problems for scanners", async () => {
  const workspace = await newWorkspace();
  for (const [design, warning] of [
    [{}, null],
    [{ quiet_zone: 0 }, "no-quiet-zone"],
    [{ foreground_color: "#fff", background_color: "#000" }, "light-on-dark"],
    [{ foreground_color: "#999" }, "low-contrast"],
    [{ foreground_color: "#666", corner_color: "#999" }, "low-contrast"],
    [
      { foreground_color: "#bbb", background_color: "#777", quiet_zone: 0 },
      "low-contrast, light-on-dark, no-quiet-zone",
    ],
  ]) {
    const response = await generateQr(workspace, { content: "x", design });
    expect(response.headers.get("X-QR-Warning")).toBe(warning);
  }
  const local = await generateQr(workspace, { content: "http://localhost/x", design: { quiet_zone: 0 } });
  expect(local.headers.get("X-QR-Warning")).toBe("only-this-machine, no-quiet-zone");
});

test.each<[unknown, string]>([
  [{}, "content: is required"],
  [{ content: "" }, "content: must have at least 1 character"],
  [{ content: 5 }, "content: must be a string, or an object with a type"],
  [{ content: { type: "fax" } }, "content.type: must be one of wifi, vcard, email, phone, sms, place, event"],
  [{ content: { type: "wifi" } }, "content.ssid: is required"],
  [{ content: { type: "wifi", ssid: "x", key: "y" } }, "content.key: is not a known field"],
  [
    { content: { type: "vcard", note: "x" } },
    "content.first_name: is required, unless last_name or organization is set",
  ],
  [{ content: "x", size: 51 }, "size: must be at most 50"],
  [{ content: "x", size: 0 }, "size: must be at least 1"],
  [{ content: "x", size: "10" }, "size: must be a number"],
  [{ content: "x", size: 2.5 }, "size: must be a whole number"],
  [{ content: "x", format: "jpg" }, "format: must be one of svg, png, pdf"],
  [{ content: "x", width: 63 }, "width: must be at least 64"],
  [{ content: "x", width: 4_097 }, "width: must be at most 4096"],
  [{ content: "x", width: 512, size: 10 }, "width: must not be combined with size"],
  [
    { content: "x", width: 121, format: "png", design: { quiet_zone: 20 } },
    "width: must be at least 122 for this content: 2 pixels per module",
  ],
  [{ content: "x", width_mm: 40, format: "png" }, "width_mm: only applies to format pdf, not to png"],
  [{ content: "x", width_mm: 9, format: "pdf" }, "width_mm: must be at least 10"],
  [{ content: "x", width_mm: 1_001, format: "pdf" }, "width_mm: must be at most 1000"],
  [{ content: "x", size: 10, format: "pdf" }, "size: does not apply to format pdf; use width_mm"],
  [{ content: "x", width: 64, format: "pdf" }, "width: does not apply to format pdf; use width_mm"],
  [{ content: "x", colour: "red" }, "colour: is not a known field"],
  [{ content: "x", design: [] }, "design: must be an object"],
  [{ content: "x", design: { color: "red" } }, "design.color: is not a known field"],
  ...["red", "#12", "#12345", "#1234567", '"><script>', "#ggg", "", "url(#a)"].map(
    (foreground_color) =>
      [
        { content: "x", design: { foreground_color } },
        "design.foreground_color: must be a colour such as #RGB or #RRGGBB",
      ] satisfies [unknown, string],
  ),
  [
    { content: "x", design: { foreground_color: "#FFF" } },
    "design.foreground_color: must have a contrast ratio of at least 2 to background_color; #ffffff on #ffffff has 1",
  ],
  [
    { content: "x", design: { foreground_color: "#eee", background_color: "#ddd" } },
    "design.foreground_color: must have a contrast ratio of at least 2 to background_color; #eeeeee on #dddddd has 1.17",
  ],
  [
    { content: "x", design: { corner_color: "#ff0" } },
    "design.corner_color: must have a contrast ratio of at least 2 to background_color; #ffff00 on #ffffff has 1.07",
  ],
  [
    { content: "x", design: { corner_color: "red" } },
    "design.corner_color: must be a colour such as #RGB or #RRGGBB",
  ],
  [{ content: "x", design: { error_correction: "X" } }, "design.error_correction: must be one of L, M, Q, H"],
  [
    { content: "x", design: { dot_style: "star" } },
    "design.dot_style: must be one of square, rounded, dots, classy, classy-rounded, extra-rounded",
  ],
  [
    { content: "x", design: { corner_style: "dots" } },
    "design.corner_style: must be one of square, rounded, dot, extra-rounded",
  ],
  [{ content: "x", design: { logo_size: 0.09 } }, "design.logo_size: must be at least 0.1"],
  [{ content: "x", design: { logo_size: 0.41 } }, "design.logo_size: must be at most 0.4"],
  [{ content: "x", design: { quiet_zone: 21 } }, "design.quiet_zone: must be at most 20"],
  [{ content: "x", design: { quiet_zone: -1 } }, "design.quiet_zone: must be at least 0"],
  [{ content: "x", design: { logo_url: "logo.png" } }, "design.logo_url: must be a URL"],
  [
    { content: "a".repeat(1_274), design: { error_correction: "H" } },
    "content: must have at most 1273 bytes of UTF-8 at error correction level H",
  ],
])("POST /v1/qr/generate rejects %j with 400", async (body, message) => {
  const error = await expectError(await generateQr(await newWorkspace(), body), 400, "VALIDATION_ERROR");
  expect(error.message).toBe(message);
});

const renderRedLogo = () =>
  renderPng(
    buildSymbol("logo", "L", null),
    resolveDesign({ foreground_color: "#c00000", quiet_zone: 0 }),
    4,
    null,
  );

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a logo is cached for an hour", async () => {
  const put = vi.spyOn(caches.default, "put");
  onTestFinished(() => put.mockRestore());
  const png = await renderRedLogo();
  serveLogo(() => new Response(png));
  expect((await generateWithLogo(await newWorkspace(), nextLogoUrl())).status).toBe(200);
  const ages = await eventually(
    async () => put.mock.calls.map(([, response]) => response.headers.get("Cache-Control")),
    (found) => found.length > 0,
  );
  expect(ages).toEqual(["max-age=3600"]);
});

test("a logo is fetched once and drawn, and raises level and version to keep the code readable", async () => {
  const workspace = await newWorkspace();
  const png = await renderRedLogo();
  const serve = serveLogo(() => new Response(png));
  const url = nextLogoUrl();
  const response = await generateWithLogo(workspace, url);
  expect(response.headers.get("X-QR-Error-Correction")).toBe("H");
  expect(response.headers.get("X-QR-Version")).toBe("4");
  const copy = response.clone();
  expect(await scanPng(response)).toBe("https://example.com/logo");
  const { data } = await readPngBody(copy);
  expect(countColor(data, [0xc0, 0, 0])).toBeGreaterThan(1_000);

  const svg = await generateQr(workspace, { content: "https://example.com/logo", design: { logo_url: url } });
  expect(await svg.text()).toContain('href="data:image/png;base64,');
  expect(serve).toHaveBeenCalledTimes(1);
});

const JPEG =
  "/9j/2wBDAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAj/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8ASH//2Q==";

test.each([
  ["JPEG", JPEG, [200, 200, 200]],
  ["GIF", "R0lGODlhAQABAIAAAADIAAAAACwAAAAAAQABAAACAkQBADs=", [0, 200, 0]],
] as const)("a %s logo is drawn", (_, base64, color) => expectDrawnLogo(base64, color));

test.each([
  ["JPEG", JPEG, "/Filter /DCTDecode"],
  ["GIF", "R0lGODlhAQABAIAAAADIAAAAACwAAAAAAQABAAACAkQBADs=", "/ColorSpace /DeviceCMYK"],
])("a %s logo is drawn in a PDF", async (_, base64, entry) => {
  const workspace = await newWorkspace();
  serveLogo(() => new Response(decodeBase64(base64)));
  const body = { content: "x", format: "pdf", design: { logo_url: nextLogoUrl() } };
  const text = new TextDecoder("latin1").decode(await (await generateQr(workspace, body)).arrayBuffer());
  expect(text).toContain("/XObject << /Logo 5 0 R >>");
  expect(text).toContain(entry);
});

test.each([
  [299, 299],
  [301, 300],
])("a logo with %i pixels per side has %i in a PDF", async (width, expected) => {
  const workspace = await newWorkspace();
  const logo = await (await generateQr(workspace, { content: "logo", format: "png", width })).arrayBuffer();
  serveLogo(() => new Response(logo));
  const body = { content: "x", format: "pdf", design: { logo_url: nextLogoUrl() } };
  const text = new TextDecoder("latin1").decode(await (await generateQr(workspace, body)).arrayBuffer());
  expect(text).toContain(`/Width ${expected} /Height ${expected} `);
});

const RED_FILE = { filename: "our logo.png", mime_type: "image/png" };

test("a logo on the CDN is read from the bucket, for any workspace, and not fetched", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const png = await renderRedLogo();
  const { id, url } = await createPublishedAsset(workspace, png, RED_FILE);
  const serve = serveLogo(() => new Response("no"));
  for (const caller of [workspace, other, workspace]) {
    const response = await generateWithLogo(caller, url);
    const copy = response.clone();
    expect(await scanPng(copy)).toBe("https://example.com/logo");
    expect(countColor((await readPngBody(response)).data, [0xc0, 0, 0])).toBeGreaterThan(1_000);
  }
  const created = await other.call("POST", "/v1/qr/templates", {
    body: { name: "x", design: { logo_url: url } },
  });
  const { data: template } = await expectData(created, templateResponse, 201);
  const link = await createLink(other);
  const path = `/v1/links/${link.id}/qr?format=png&template_id=${template.id}`;
  expect(await scanPng(await other.call("GET", path))).toBe(link.short_url);
  expect(serve).not.toHaveBeenCalled();

  // The deletion takes effect immediately, although other logos stay in a cache.
  await workspace.call("DELETE", `/v1/assets/${id}`);
  const reason = "must be the URL of a published file; no file exists at this URL";
  await expectLogoError(generateWithLogo(workspace, url), reason);
  const error = await expectError(await other.call("GET", path), 400, "validation_error");
  expect(error.message).toBe(`design.logo_url: ${reason}`);
  expect(serve).not.toHaveBeenCalled();
});

test("a file on the CDN that does not exist or is no image is rejected with 400", async () => {
  const workspace = await newWorkspace();
  const text = await createPublishedAsset(workspace);
  const tooLarge = new Uint8Array(1_048_577);
  tooLarge.set(await renderRedLogo());
  const large = await createPublishedAsset(workspace, tooLarge, RED_FILE);
  const serve = serveLogo(() => new Response("no"));
  await expectLogoError(generateWithLogo(workspace, text.url), "must be a PNG, JPEG, GIF or WebP image");
  await expectLogoError(generateWithLogo(workspace, large.url), "must be at most 1 MiB");
  const { origin, pathname } = new URL(text.url);
  for (const path of [
    "/",
    "/logo.png",
    `/${UNKNOWN_ID}/logo.png`,
    `${pathname}x`,
    `${pathname}/..`,
    "/%ff/%ff",
  ]) {
    const reason = "must be the URL of a published file; no file exists at this URL";
    await expectLogoError(generateWithLogo(workspace, origin + path), reason);
    const body = { name: "x", design: { logo_url: origin + path } };
    await expectLogoError(workspace.call("POST", "/v1/qr/templates", { body }), reason);
  }
  expect(serve).not.toHaveBeenCalled();
});

test("up to three redirects of a logo are followed, and each target must be allowed", async () => {
  const workspace = await newWorkspace();
  const png = await renderRedLogo();
  const redirect = (to: string) => new Response(null, { status: 302, headers: { Location: to } });
  const chain = (length: number) => (address: string) => {
    const step = Number(new URL(address).searchParams.get("step"));
    return step < length ? redirect(`/logo?step=${step + 1}`) : new Response(png);
  };
  serveLogo(chain(3));
  expect((await generateWithLogo(workspace, nextLogoUrl())).status).toBe(200);
  serveLogo(chain(4));
  await expectLogoError(generateWithLogo(workspace, nextLogoUrl()), "redirects too many times");
  const serve = serveLogo((address) =>
    address.includes("internal") ? new Response(png) : redirect("https://metadata.internal/logo"),
  );
  await expectLogoError(
    generateWithLogo(workspace, nextLogoUrl()),
    "must use a public hostname, not an IP address or a private name",
  );
  expect(serve).toHaveBeenCalledTimes(1);
});

test("a logo that redirects to a host of this service or of its workspace is not fetched there", async () => {
  const workspace = await newWorkspace();
  await addDomain(workspace, "logos.customer.test");
  for (const target of ["http://localhost:8787/logo", "https://LOGOS.customer.test.:8787/logo"]) {
    const serve = serveLogo(() => new Response(null, { status: 302, headers: { Location: target } }));
    await expectLogoError(generateWithLogo(workspace, nextLogoUrl()), "must not be a URL of this service");
    expect(serve).toHaveBeenCalledTimes(1);
  }
});

async function expectLogoError(response: Promise<Response>, reason: string) {
  const error = await expectError(await response, 400, "VALIDATION_ERROR");
  expect(error.message).toBe(`design.logo_url: ${reason}`);
}

/** Builds a PNG header without pixels. */
const buildPngHeader = (width: number, height: number) => {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
};

test.each<[string, () => Response | Promise<Response>, string]>([
  [
    "a WebP of 360,001 pixels",
    () => new Response(buildWebpHeader(157, 2_293)),
    "must have at most 360000 pixels if it is a WebP",
  ],
  [
    "SVG",
    () => new Response('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "must be a PNG, JPEG, GIF or WebP image",
  ],
  ["an empty body", () => new Response(null), "must be a PNG, JPEG, GIF or WebP image"],
  ["a 404 response", () => new Response("no", { status: 404 }), "responded with status 404"],
  ["larger than 1 MiB", () => new Response(new Uint8Array(1_048_577)), "must be at most 1 MiB"],
  [
    "larger than 4,096 pixels per side",
    () => new Response(buildPngHeader(4_097, 1)),
    "must have at most 4096 pixels per side",
  ],
  [
    "higher than 4,096 pixels",
    () => new Response(buildPngHeader(1, 4_097)),
    "must have at most 4096 pixels per side",
  ],
  ["of 4,096 pixels per side", () => new Response(buildPngHeader(4_096, 256)), "cannot be decoded"],
  ["of 4,096 pixels in height", () => new Response(buildPngHeader(256, 4_096)), "cannot be decoded"],
  [
    "of a pixel too many to be decoded",
    () => new Response(buildPngHeader(257, 4_081)),
    "must have at most 1048576 pixels for format png; format svg allows more",
  ],
  [
    "of exactly 1 MiB",
    () => new Response(new Uint8Array(1_048_576)),
    "must be a PNG, JPEG, GIF or WebP image",
  ],
  ["a header without pixels", () => new Response(buildPngHeader(10, 10)), "cannot be decoded"],
  [
    "of another type than declared",
    () => new Response("GIF89a", { headers: { "Content-Type": "image/png" } }),
    "must be a PNG, JPEG, GIF or WebP image",
  ],
  ["a broken connection", () => Promise.reject(new TypeError("network")), "cannot be fetched"],
  [
    "a timeout",
    () => Promise.reject(new DOMException("late", "TimeoutError")),
    "did not respond within 5 seconds",
  ],
])("a logo that is %s is rejected with 400", async (_, handle, reason) => {
  const workspace = await newWorkspace();
  serveLogo(handle);
  await expectLogoError(generateWithLogo(workspace, nextLogoUrl()), reason);
});

test.each([
  ["http://example.com/logo.png", "must be an https URL"],
  ["https://10.0.0.1/logo.png", "must use a public hostname, not an IP address or a private name"],
  ["https://user@example.com/logo.png", "must not contain a user name or password"],
  ["https://example.com:22/logo.png", "must use port 443 or 8443"],
  ["data:image/png;base64,AAAA", "must be an https URL"],
  ["http://localhost:8787/logo.png", "must not be a URL of this service"],
  ["http://bio.localhost:8787/logo.png", "must not be a URL of this service"],
  ["http://demo.localhost:8787/logo.png", "must not be a URL of this service"],
  ["http://user@cdn.localhost:8787/logo.png", "must not contain a user name or password"],
  ["ftp://cdn.localhost:8787/logo.png", "must not be a URL of this service"],
])("a logo at %s is neither fetched nor stored in a template", async (logo_url, reason) => {
  const workspace = await newWorkspace();
  const serve = serveLogo(() => new Response("no"));
  await expectLogoError(generateWithLogo(workspace, logo_url), reason);
  await expectLogoError(
    workspace.call("POST", "/v1/qr/templates", { body: { name: "x", design: { logo_url } } }),
    reason,
  );
  expect(serve).not.toHaveBeenCalled();
});

test("a logo is not fetched from a domain of another workspace", async () => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  await addDomain(other, "qr.partner.test");
  const serve = serveLogo(() => new Response("no"));
  const logo_url = "https://qr.partner.test:8787/logo.png";
  const reason = "must not be a URL of this service";
  await expectLogoError(generateWithLogo(workspace, logo_url), reason);
  await expectLogoError(
    workspace.call("POST", "/v1/qr/templates", { body: { name: "x", design: { logo_url } } }),
    reason,
  );
  expect(serve).not.toHaveBeenCalled();
});

test("a PNG with a logo has a maximum size, which the error contains", async () => {
  const workspace = await newWorkspace();
  const png = await renderRedLogo();
  serveLogo(() => new Response(png));
  const body = {
    content: "a".repeat(1_000),
    format: "png",
    design: { logo_url: nextLogoUrl(), logo_size: 0.2 },
  };
  const error = await expectError(
    await generateQr(workspace, { ...body, size: 50 }),
    400,
    "VALIDATION_ERROR",
  );
  const largest = Number(/^size: must be at most (\d+) for a PNG/.exec(error.message)?.[1]);
  expect((await generateQr(workspace, { ...body, size: largest })).status).toBe(200);
  expect((await generateQr(workspace, { ...body, format: "svg", size: 50 })).status).toBe(200);
});

test("the largest symbol is drawn at the largest size", async () => {
  const workspace = await newWorkspace();
  const body = { content: "a".repeat(2_953), format: "png", size: 50 };
  const response = await generateQr(workspace, { ...body, design: { error_correction: "L" } });
  expect(response.status).toBe(200);
  expect(Number(response.headers.get("X-QR-Version"))).toBe(40);
  expect((await response.arrayBuffer()).byteLength).toBeLessThan(60_000);
});

test("GET /v1/workspace/usage counts QR templates", async () => {
  const workspace = await newWorkspace();
  await workspace.call("POST", "/v1/qr/templates", { body: { name: "x" } });
  const { data } = await expectData(await workspace.call("GET", "/v1/workspace/usage"), usageResponse);
  expect(data.usage.total_qr_templates).toBe(1);
});

test("a redirect does not wait for renders in progress", async () => {
  const workspace = await newWorkspace("enterprise");
  const { short_code } = await createLink(workspace);
  await workspace.visit(`/${short_code}`);
  const body = {
    content: "x".repeat(2_900),
    format: "png",
    size: 40,
    design: { dot_style: "rounded", error_correction: "L" },
  };
  let rendered = 0;
  const renders = Array.from({ length: 8 }, async () => {
    const response = await workspace.call("POST", "/v1/qr/generate", { body });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    rendered += 1;
  });
  await Promise.race(renders);
  // Not `visit`, which also waits until the scan is sent.
  const context = createExecutionContext();
  const request = buildVisit(workspace, `/${short_code}`) as Parameters<typeof worker.fetch>[0];
  const response = await worker.fetch(request, workerEnv, context);
  expect(response.status).toBe(302);
  // Some renders may end before the redirect, but not all: if they did not yield, all would end together.
  expect(rendered).toBeLessThan(8);
  await Promise.all([...renders, waitOnExecutionContext(context)]);
});

test("the width of a PNG with a logo has a maximum, which the error contains", async () => {
  const workspace = await newWorkspace();
  const generate = (width: number, format = "png") =>
    workspace.call("POST", "/v1/qr/generate", {
      body: {
        content: "https://example.com/",
        format,
        width,
        design: { logo_url: nextLogoUrl(), logo_size: 0.4 },
      },
    });
  const message = /^width: must be at most (\d+) for a PNG with a logo of this size/;
  const error = await expectError(await generate(4_096), 400, "VALIDATION_ERROR");
  const limit = Number(message.exec(error.message)?.[1]);
  await expectError(await generate(limit + 1), 400, "VALIDATION_ERROR");
  expect((await generate(limit)).status).not.toBe(500);
  expect((await expectError(await generate(limit), 400, "VALIDATION_ERROR")).message).toMatch(
    /^design.logo_url/,
  );
});
