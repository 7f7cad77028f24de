import jsQR from "jsqr";
import { afterEach, expect, test, vi } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import { renderPng } from "../../src/qr/png.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { PLANS } from "../../src/tenant/plans.ts";
import { usageResponse } from "../../src/workspace/workspace.schema.ts";
import {
  addDomain,
  createLink,
  expectData,
  expectError,
  newWorkspace,
  type TestWorkspace,
  workerEnv,
} from "../support/harness.ts";
import { readPng } from "../support/png.ts";

const UNKNOWN_ID = "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f";

const generateQr = (workspace: TestWorkspace, body: unknown) =>
  workspace.call("POST", "/v1/qr/generate", { body });
const readPngBody = async (response: Response) => readPng(new Uint8Array(await response.arrayBuffer()));

async function scanPng(response: Response): Promise<string | undefined> {
  expect(response.status).toBe(200);
  const { data, width, height } = await readPngBody(response);
  return jsQR(data, width, height)?.data;
}

const countRenderedLinks = async (workspace: TestWorkspace) =>
  (await workerEnv.DB.prepare(
    "SELECT used FROM usage_counters WHERE workspace_id = ? AND resource = 'dynamic_qr'",
  )
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
  expect(png.headers.get("X-QR-Warning")).toBeNull();
  expect(await scanPng(png)).toBe(link.short_url);
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

test("GET /v1/links/{link_id}/qr has lower-case codes for its own errors only", async () => {
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
    ["format=gif", "format: must be one of svg, png"],
    ["colour=red", "colour: is not a known field"],
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
  await workerEnv.DB.prepare(
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

test("width and height of an image are its modules and quiet zone times size", async () => {
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
  expect(svg).toContain('fill="#ff0000"');
  expect(svg).toContain('fill="#0000ff"');
});

test("X-QR-Warning lists what scanners may have trouble with", async () => {
  const workspace = await newWorkspace();
  for (const [design, warning] of [
    [{}, null],
    [{ quiet_zone: 0 }, "no-quiet-zone"],
    [{ foreground_color: "#fff", background_color: "#000" }, "light-on-dark"],
    [{ foreground_color: "#999" }, "low-contrast"],
    [
      { foreground_color: "#eee", background_color: "#ddd", quiet_zone: 0 },
      "low-contrast, light-on-dark, no-quiet-zone",
    ],
  ]) {
    const response = await generateQr(workspace, { content: "x", design });
    expect(response.headers.get("X-QR-Warning")).toBe(warning);
  }
});

test.each<[unknown, string]>([
  [{}, "content: is required"],
  [{ content: "" }, "content: must have at least 1 character"],
  [{ content: 5 }, "content: must be a string"],
  [{ content: "x", size: 51 }, "size: must be at most 50"],
  [{ content: "x", size: 0 }, "size: must be at least 1"],
  [{ content: "x", size: "10" }, "size: must be a number"],
  [{ content: "x", size: 2.5 }, "size: must be a whole number"],
  [{ content: "x", format: "jpg" }, "format: must be one of svg, png"],
  [{ content: "x", colour: "red" }, "colour: is not a known field"],
  [{ content: "x", design: [] }, "design: must be an object"],
  [{ content: "x", design: { color: "red" } }, "design.color: is not a known field"],
  ...["red", "#12", "#12345", "#1234567", '"><script>', "#ggg", "", "url(#a)"].map(
    (foreground_color) =>
      [
        { content: "x", design: { foreground_color } },
        "design.foreground_color: must be a colour as #RGB or #RRGGBB",
      ] satisfies [unknown, string],
  ),
  [
    { content: "x", design: { foreground_color: "#FFF" } },
    "design.foreground_color: must differ from background_color",
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

/** Stubs `fetch` with a handler and returns the mock. */
function serveLogo(handle: (address: string) => Response | Promise<Response>) {
  const serve = vi.fn(async (address: string | URL | Request) => handle(String(address)));
  vi.stubGlobal("fetch", serve);
  return serve;
}

let logoCount = 0;
/** Returns a URL that no test has used, so that no cached logo is found. */
const nextLogoUrl = () => `https://logos${++logoCount}.example.com/logo`;

afterEach(() => {
  vi.unstubAllGlobals();
});

async function generateWithLogo(workspace: TestWorkspace, logo_url: string, rest = {}) {
  return generateQr(workspace, {
    content: "https://example.com/logo",
    format: "png",
    design: { logo_url, logo_size: 0.3, ...rest },
  });
}

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

function countColor(data: Uint8ClampedArray, [red, green, blue]: [number, number, number]): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const distance =
      Math.abs((data[i] as number) - red) +
      Math.abs((data[i + 1] as number) - green) +
      Math.abs((data[i + 2] as number) - blue);
    if (distance < 12) count += 1;
  }
  return count;
}

test.each([
  [
    "JPEG",
    "/9j/2wBDAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAj/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8ASH//2Q==",
    [200, 200, 200],
  ],
  ["GIF", "R0lGODlhAQABAIAAAADIAAAAACwAAAAAAQABAAACAkQBADs=", [0, 200, 0]],
  [
    "WebP",
    "UklGRjwAAABXRUJQVlA4IDAAAACQAQCdASoQABAAAMASJaACdLoAA5gA/vwp0f7jW2kdMv/4Mx/+DMf/gzH/wTwAAAA=",
    [200, 0, 40],
  ],
  ["lossless WebP", "UklGRiIAAABXRUJQVlA4TBYAAAAvD8ADEA8Qgzwo8x845j+i/8H///8P", [200, 0, 40]],
] as const)("a %s logo is drawn", async (_, base64, color) => {
  const workspace = await newWorkspace();
  serveLogo(() => new Response(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))));
  const url = nextLogoUrl();
  const response = await generateWithLogo(workspace, url);
  const copy = response.clone();
  expect(await scanPng(response)).toBe("https://example.com/logo");
  const { data } = await readPngBody(copy);
  expect(countColor(data, [...color])).toBeGreaterThan(2_000);
  const svg = await (await generateQr(workspace, { content: "x", design: { logo_url: url } })).text();
  expect(svg).toMatch(/href="data:image\/(png|jpeg|gif);base64,/);
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
  await expectLogoError(generateWithLogo(workspace, nextLogoUrl()), "redirects too often");
  const serve = serveLogo((address) =>
    address.includes("internal") ? new Response(png) : redirect("https://metadata.internal/logo"),
  );
  await expectLogoError(
    generateWithLogo(workspace, nextLogoUrl()),
    "must name a public host, not an IP address or a private name",
  );
  expect(serve).toHaveBeenCalledTimes(1);
});

async function expectLogoError(response: Promise<Response>, reason: string) {
  const error = await expectError(await response, 400, "VALIDATION_ERROR");
  expect(error.message).toBe(`design.logo_url: ${reason}`);
}

/** Builds the header of a PNG without its pixels. */
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
    "SVG",
    () => new Response('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "must be a PNG, JPEG, GIF or WebP image",
  ],
  ["an empty body", () => new Response(null), "must be a PNG, JPEG, GIF or WebP image"],
  ["a 404 response", () => new Response("no", { status: 404 }), "responded with status 404"],
  ["larger than 1 MiB", () => new Response(new Uint8Array(1_048_577)), "must have at most 1048576 bytes"],
  [
    "larger than 4,096 pixels per side",
    () => new Response(buildPngHeader(4_097, 1)),
    "must have at most 4096 pixels per side",
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
  ["https://10.0.0.1/logo.png", "must name a public host, not an IP address or a private name"],
  ["https://user@example.com/logo.png", "must not hold a user name or password"],
  ["https://example.com:22/logo.png", "must use port 443 or 8443"],
  ["data:image/png;base64,AAAA", "must be an https URL"],
  ["http://localhost:8787/logo.png", "must not be an address of this service"],
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
  const reason = "must not be an address of this service";
  await expectLogoError(generateWithLogo(workspace, logo_url), reason);
  await expectLogoError(
    workspace.call("POST", "/v1/qr/templates", { body: { name: "x", design: { logo_url } } }),
    reason,
  );
  expect(serve).not.toHaveBeenCalled();
});

test("a PNG with a logo has a maximum size, and the error names it", async () => {
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
