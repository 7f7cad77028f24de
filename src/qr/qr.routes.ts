import * as z from "zod";
import { openBuckets } from "../assets/storage.ts";
import { formatContentDisposition } from "../core/content-disposition.ts";
import { toHex } from "../core/crypto.ts";
import { isEtagListed } from "../core/etag.ts";
import { joinInOrder } from "../core/join-in-order.ts";
import type { ApiContext } from "../http/context.ts";
import { formatPage } from "../http/envelope.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { buildShortUrl } from "../links/link-response.ts";
import { countFirstQrRender } from "../links/link-writes.ts";
import { getLink } from "../links/links.ts";
import { formatCompactUrl } from "../routing/compact-code.ts";
import { presentTrash } from "../trash/present-trash.ts";
import { deletionQuery, trashableListQuery } from "../trash/trash.schema.ts";
import { resolveDesign } from "./design.ts";
import { listWarningSentences } from "./design-problems.ts";
import type { Format } from "./image-size.ts";
import { generateBody, linkQrQuery } from "./qr.schema.ts";
import { MEDIA_TYPES, type Rendering, renderQrCode } from "./render.ts";
import { encodeStructured } from "./structured-content.ts";
import {
  createTemplateBody,
  NEW_TEMPLATE_EXAMPLE,
  templateResponse,
  updateTemplateBody,
} from "./templates.schema.ts";
import {
  createTemplate,
  deleteTemplate,
  findTemplate,
  getTemplate,
  listDeletedTemplates,
  listTemplates,
  presentTemplate,
  restoreTemplate,
  type Template,
  updateTemplate,
} from "./templates.ts";

const imageOperation = {
  tag: "QR codes",
  rateLimit: "A",
  mediaTypes: Object.values(MEDIA_TYPES),
  headers: {
    "Content-Disposition": "Suggested file name of the image.",
    ETag: "Entity tag of the image. It only changes when the image changes.",
    "X-QR-Version": "Version of the symbol. A logo can raise it.",
    "X-QR-Error-Correction":
      "Error correction level of the symbol. A logo can raise it, so that the code stays readable.",
    "X-QR-Warning":
      "Comma-separated problems. Design that some scanners have trouble with: low-contrast, light-on-dark, no-quiet-zone. Frame that people may not see: low-contrast-frame. URL that most devices cannot open: only-this-machine, private-network. Omitted if there are none.",
  },
} as const;
const templateOperation = { tag: "QR templates", rateLimit: "B" } as const;

const linkQr = defineRoute(
  {
    ...imageOperation,
    id: "getLinkQr",
    summary: "Get the QR code of a link",
    description:
      "Encodes the short URL of the link, in the design of its template (`qr_template_id`) or of another one (`template_id`).",
    method: "get",
    path: "/v1/links/:link_id/qr",
    scope: "qr:render",
    query: linkQrQuery,
    isConditional: true,
    errors: ["RESOURCE_NOT_FOUND", "PLAN_LIMIT_EXCEEDED", "WORKSPACE_MOVING"],
    errorNames: { RESOURCE_NOT_FOUND: "not_found", VALIDATION_ERROR: "validation_error" },
  },
  async (c, { query: { template_id, compact, frame_style, frame_text, frame_color, ...input } }) => {
    const tenant = tenantFor(c);
    const [link, chosen] = await joinInOrder(
      getLink(tenant, c.req.param("link_id") ?? ""),
      template_id === undefined ? Promise.resolve(null) : getTemplate(tenant, template_id),
    );
    const template = chosen ?? (link.qrTemplateId && (await findTemplate(tenant, link.qrTemplateId)));
    const frame = frame_style && { style: frame_style, text: frame_text, color: frame_color };
    const design = resolveDesign({ ...(template ? template.design : {}), ...(frame && { frame }) });
    const shortUrl = buildShortUrl(tenant, link);
    const isCompact = compact ?? design.isCompact;
    const content = isCompact ? formatCompactUrl(shortUrl, link.shortCode) : shortUrl;
    const rendering = await renderQrCode(tenant, openBuckets(c.env).public, content, design, input);
    await countFirstQrRender(tenant, link);
    return buildImageResponse(c, rendering, input.format, link.shortCode);
  },
);

const generate = defineRoute(
  {
    ...imageOperation,
    id: "generateQr",
    summary: "Render a QR code for any text",
    method: "post",
    path: "/v1/qr/generate",
    scope: "qr:render",
    body: generateBody,
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (c, { body: { content, template_id, design, ...input } }) => {
    const tenant = tenantFor(c);
    const template = template_id === undefined ? null : await getTemplate(tenant, template_id);
    const whole = resolveDesign({ ...template?.design, ...design });
    const text = typeof content === "string" ? content : encodeStructured(content);
    const rendering = await renderQrCode(tenant, openBuckets(c.env).public, text, whole, input);
    return buildImageResponse(c, rendering, input.format, "qr");
  },
);

const create = defineRoute(
  {
    ...templateOperation,
    id: "createQrTemplate",
    summary: "Create a QR template",
    method: "post",
    path: "/v1/qr/templates",
    scope: "qr:write",
    body: createTemplateBody,
    status: 201,
    data: templateResponse,
    errors: ["PLAN_LIMIT_EXCEEDED"],
    hasWarnings: true,
    exampleData: NEW_TEMPLATE_EXAMPLE,
  },
  async (c, { body }) => {
    const template = await createTemplate(tenantFor(c), openBuckets(c.env).public, body);
    return { data: presentTemplate(template), warnings: listTemplateWarnings(template, body) };
  },
);

const list = defineRoute(
  {
    ...templateOperation,
    id: "listQrTemplates",
    summary: "List QR templates, newest first",
    method: "get",
    path: "/v1/qr/templates",
    scope: "qr:read",
    query: trashableListQuery,
    data: z.array(templateResponse),
    isPaged: true,
    hasCursor: true,
  },
  async (c, { query }) => {
    const tenant = tenantFor(c);
    if (query.deleted) return presentTrash(query, await listDeletedTemplates(tenant, query), presentTemplate);
    const { templates, total, nextBefore } = await listTemplates(tenant, query);
    return { data: templates.map(presentTemplate), page: formatPage(query, total, nextBefore) };
  },
);

const get = defineRoute(
  {
    ...templateOperation,
    id: "getQrTemplate",
    summary: "Get a QR template",
    method: "get",
    path: "/v1/qr/templates/:template_id",
    scope: "qr:read",
    data: templateResponse,
  },
  async (c) => ({ data: presentTemplate(await getTemplate(tenantFor(c), readTemplateId(c))) }),
);

const update = defineRoute(
  {
    ...templateOperation,
    id: "updateQrTemplate",
    summary: "Change a QR template",
    description:
      "Changes only the fields in the body. The same applies to the fields of `design`; null removes a field.",
    method: "patch",
    path: "/v1/qr/templates/:template_id",
    scope: "qr:write",
    body: updateTemplateBody,
    data: templateResponse,
    hasWarnings: true,
    exampleData: { design: { dot_style: "dots" } },
  },
  async (c, { body }) => {
    const publicFiles = openBuckets(c.env).public;
    const template = await updateTemplate(tenantFor(c), publicFiles, readTemplateId(c), body);
    return { data: presentTemplate(template), warnings: listTemplateWarnings(template, body) };
  },
);

const remove = defineRoute(
  {
    ...templateOperation,
    id: "deleteQrTemplate",
    summary: "Delete a QR template",
    description: "Moves the template to the trash for 30 days.",
    method: "delete",
    path: "/v1/qr/templates/:template_id",
    scope: "qr:write",
    query: deletionQuery,
    data: deletedResponse,
  },
  async (c, { query: { permanent = false } }) => {
    const id = readTemplateId(c);
    await deleteTemplate(tenantFor(c), id, permanent);
    return { data: { id, deleted: true as const } };
  },
);

const restore = defineRoute(
  {
    ...templateOperation,
    id: "restoreQrTemplate",
    summary: "Restore a deleted QR template",
    description: "Brings the template back from the trash. Has no effect on a template that is not deleted.",
    method: "post",
    path: "/v1/qr/templates/:template_id/restore",
    scope: "qr:write",
    data: templateResponse,
    errors: ["PLAN_LIMIT_EXCEEDED"],
  },
  async (c) => ({ data: presentTemplate(await restoreTemplate(tenantFor(c), readTemplateId(c))) }),
);

export const qrRoutes: Route[] = [linkQr, generate, create, list, get, update, remove, restore];

/** Lists the warnings about a template's design if the request changed the design. */
function listTemplateWarnings({ design }: Template, body: { design?: object | undefined }): string[] {
  return body.design === undefined ? [] : listWarningSentences(resolveDesign(design));
}

function readTemplateId(c: ApiContext): string {
  return c.req.param("template_id") ?? "";
}

/** Builds the response with the image, or a 304 if `If-None-Match` lists the image's entity tag. */
async function buildImageResponse(
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
  const ifNoneMatch = c.req.header("If-None-Match");
  const isUnmodified =
    c.req.method !== "POST" && ifNoneMatch !== undefined && isEtagListed(ifNoneMatch, etag, true);
  if (isUnmodified) return c.body(null, 304, headers);
  return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
    ...headers,
    "Content-Type": MEDIA_TYPES[format],
    "Content-Disposition": formatContentDisposition("inline", `${name}.${format}`),
    "X-Content-Type-Options": "nosniff",
  });
}
