import * as z from "zod";
import { contentDisposition } from "../core/content-disposition.ts";
import { toHex } from "../core/crypto.ts";
import { invalid } from "../core/error.ts";
import { namesEtag } from "../core/etag.ts";
import type { ApiContext } from "../http/context.ts";
import { deletedResponse } from "../http/fields.ts";
import { type Route, route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { getLink } from "../links/links.ts";
import { colorFault } from "./design.schema.ts";
import { resolveDesign } from "./design.ts";
import { countFirstRender, encodedUrl } from "./link-qr.ts";
import { generateBody, linkQrQuery } from "./qr.schema.ts";
import { type Format, MEDIA_TYPES, type Rendering, render } from "./render.ts";
import {
  createTemplateBody,
  listTemplatesQuery,
  templateResponse,
  updateTemplateBody,
} from "./templates.schema.ts";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  presentTemplate,
  updateTemplate,
} from "./templates.ts";

const images = {
  tag: "QR codes",
  rateLimit: "A",
  media: Object.values(MEDIA_TYPES),
  headers: {
    "Content-Disposition": "A file name for the image.",
    ETag: "The same as long as the image is.",
    "X-QR-Version": "Version of the symbol used; a logo may raise it.",
    "X-QR-Error-Correction": "Error correction used; a logo may raise it, so that the code stays readable.",
    "X-QR-Warning":
      "What a scanner may dislike: low-contrast, light-on-dark, no-quiet-zone. Absent if nothing.",
  },
} as const;
const templates = { tag: "QR templates", rateLimit: "B" } as const;

const linkQr = route(
  {
    ...images,
    id: "getLinkQr",
    summary: "Get the QR code of a link",
    description: "Encodes the link's short address, drawn by a template if one is named.",
    method: "get",
    path: "/v1/links/:link_id/qr",
    scope: "qr:render",
    query: linkQrQuery,
    conditional: true,
    errors: ["RESOURCE_NOT_FOUND", "PLAN_LIMIT_EXCEEDED"],
    errorNames: { RESOURCE_NOT_FOUND: "not_found", VALIDATION_ERROR: "validation_error" },
  },
  async (c, { query: { format, size, template_id } }) => {
    const tenant = tenantFor(c);
    const link = await getLink(tenant, c.req.param("link_id") ?? "");
    const template = template_id === undefined ? null : await getTemplate(tenant, template_id);
    const design = resolveDesign(template?.design ?? {});
    const rendering = await render(tenant, encodedUrl(tenant, link), design, format, size);
    await countFirstRender(tenant, link);
    return imageAnswer(c, rendering, format, link.shortCode);
  },
);

const generate = route(
  {
    ...images,
    id: "generateQr",
    summary: "Render a QR code of any text",
    method: "post",
    path: "/v1/qr/generate",
    scope: "qr:render",
    body: generateBody,
  },
  async (c, { body: { content, format, size, design = {} } }) => {
    const fault = colorFault(design);
    if (fault !== null) throw invalid(fault);
    const rendering = await render(tenantFor(c), content, resolveDesign(design), format, size);
    return imageAnswer(c, rendering, format, "qr");
  },
);

const create = route(
  {
    ...templates,
    id: "createQrTemplate",
    summary: "Create a QR template",
    method: "post",
    path: "/v1/qr/templates",
    scope: "qr:write",
    body: createTemplateBody,
    status: 201,
    data: templateResponse,
    errors: ["PLAN_LIMIT_EXCEEDED"],
  },
  async (c, { body }) => ({ data: presentTemplate(await createTemplate(tenantFor(c), body)) }),
);

const list = route(
  {
    ...templates,
    id: "listQrTemplates",
    summary: "List QR templates, newest first",
    method: "get",
    path: "/v1/qr/templates",
    scope: "qr:read",
    query: listTemplatesQuery,
    data: z.array(templateResponse),
    paged: true,
  },
  async (c, { query: { limit, offset } }) => {
    const found = await listTemplates(tenantFor(c), limit, offset);
    return { data: found.templates.map(presentTemplate), page: { total: found.total, limit, offset } };
  },
);

const get = route(
  {
    ...templates,
    id: "getQrTemplate",
    summary: "Get a QR template",
    method: "get",
    path: "/v1/qr/templates/:template_id",
    scope: "qr:read",
    data: templateResponse,
  },
  async (c) => ({ data: presentTemplate(await getTemplate(tenantFor(c), templateIdOf(c))) }),
);

const update = route(
  {
    ...templates,
    id: "updateQrTemplate",
    summary: "Change a QR template",
    description: "Changes only the fields named, the design member by member; null removes a member.",
    method: "patch",
    path: "/v1/qr/templates/:template_id",
    scope: "qr:write",
    body: updateTemplateBody,
    data: templateResponse,
  },
  async (c, { body }) => ({
    data: presentTemplate(await updateTemplate(tenantFor(c), templateIdOf(c), body)),
  }),
);

const remove = route(
  {
    ...templates,
    id: "deleteQrTemplate",
    summary: "Delete a QR template",
    method: "delete",
    path: "/v1/qr/templates/:template_id",
    scope: "qr:write",
    data: deletedResponse,
  },
  async (c) => {
    const { id } = await deleteTemplate(tenantFor(c), templateIdOf(c));
    return { data: { id, deleted: true as const } };
  },
);

export const qrRoutes: Route[] = [linkQr, generate, create, list, get, update, remove];

function templateIdOf(c: ApiContext): string {
  return c.req.param("template_id") ?? "";
}

/** The raw image with its headers, or 304 if the client has it. */
async function imageAnswer(
  c: ApiContext,
  { image, version, level, warnings }: Rendering,
  format: Format,
  name: string,
): Promise<Response> {
  const bytes = typeof image === "string" ? new TextEncoder().encode(image) : image;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const etag = `"${toHex(digest.subarray(0, 16))}"`;
  const headers = {
    ETag: etag,
    "Cache-Control": "private, no-cache",
    "X-QR-Version": String(version),
    "X-QR-Error-Correction": level,
    ...(warnings.length > 0 && { "X-QR-Warning": warnings.join(", ") }),
  };
  const known = c.req.header("If-None-Match");
  const isKnown = c.req.method !== "POST" && known !== undefined && namesEtag(known, etag, true);
  if (isKnown) return c.body(null, 304, headers);
  return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
    ...headers,
    "Content-Type": MEDIA_TYPES[format],
    "Content-Disposition": contentDisposition("inline", `${name}.${format}`),
    "X-Content-Type-Options": "nosniff",
  });
}
