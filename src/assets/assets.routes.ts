import * as z from "zod";
import type { ApiContext } from "../http/context.ts";
import { deletedResponse } from "../http/fields.ts";
import { type JsonResult, type Route, route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import {
  type AssetResponse,
  assetResponse,
  listAssetsQuery,
  presignBody,
  presignResponse,
} from "./assets.schema.ts";
import {
  confirmAsset,
  deleteAsset,
  getAsset,
  listAssets,
  presentAsset,
  presignAsset,
  publishAsset,
} from "./assets.ts";
import { openBuckets } from "./storage.ts";

const inAssets = { tag: "Assets", rateLimit: "A" } as const;

const presign = route(
  {
    ...inAssets,
    id: "presignUpload",
    summary: "Create an asset and get the address to upload its file to",
    description:
      "Send the file with the method, address and headers of `data.upload`, then confirm the upload. The address is " +
      "good for 15 minutes, for exactly this size and type, and for one successful upload.",
    method: "post",
    path: "/v1/assets/presign",
    scope: "assets:write",
    body: presignBody,
    status: 201,
    data: presignResponse,
    errors: ["PLAN_LIMIT_EXCEEDED"],
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    const { asset, upload } = await presignAsset(tenant, body, c.env.UPLOAD_SECRET);
    return { data: { ...presentAsset(tenant, asset), upload } };
  },
);

const confirmation = {
  ...inAssets,
  summary: "Confirm that the file has been uploaded",
  description: "Repeating it changes nothing.",
  method: "post",
  scope: "assets:write",
  data: assetResponse,
  errors: ["ASSET_NOT_UPLOADED"],
} as const;

const confirm = route(
  { ...confirmation, id: "confirmUpload", path: "/v1/assets/:asset_id/confirm" },
  confirmNamed,
);

/** The other form of the path in the contract. */
const confirmPresigned = route(
  { ...confirmation, id: "confirmPresignedUpload", path: "/v1/assets/presign/:asset_id/confirm" },
  confirmNamed,
);

const publish = route(
  {
    ...inAssets,
    id: "publishAsset",
    summary: "Publish a confirmed asset at its CDN address",
    description: "Repeating it changes nothing.",
    method: "post",
    path: "/v1/assets/:asset_id/publish",
    scope: "assets:write",
    data: assetResponse,
    errors: ["ASSET_NOT_CONFIRMED"],
  },
  async (c) => {
    const tenant = tenantFor(c);
    const asset = await publishAsset(tenant, openBuckets(c.env), assetIdOf(c));
    return { data: presentAsset(tenant, asset) };
  },
);

const list = route(
  {
    ...inAssets,
    id: "listAssets",
    summary: "List assets, newest first",
    method: "get",
    path: "/v1/assets",
    scope: "assets:read",
    query: listAssetsQuery,
    data: z.array(assetResponse),
  },
  async (c, { query: { limit, offset } }) => {
    const tenant = tenantFor(c);
    const assets = await listAssets(tenant, limit, offset);
    return { data: assets.map((asset) => presentAsset(tenant, asset)) };
  },
);

const get = route(
  {
    ...inAssets,
    id: "getAsset",
    summary: "Get an asset",
    method: "get",
    path: "/v1/assets/:asset_id",
    scope: "assets:read",
    data: assetResponse,
  },
  async (c) => {
    const tenant = tenantFor(c);
    return { data: presentAsset(tenant, await getAsset(tenant, assetIdOf(c))) };
  },
);

const remove = route(
  {
    ...inAssets,
    id: "deleteAsset",
    summary: "Delete an asset with its file and its public address",
    method: "delete",
    path: "/v1/assets/:asset_id",
    scope: "assets:write",
    data: deletedResponse,
  },
  async (c) => {
    const id = assetIdOf(c);
    await deleteAsset(tenantFor(c), openBuckets(c.env), id);
    return { data: { id, deleted: true as const } };
  },
);

/** In the order they are matched: what stands before `:asset_id` would be taken for an id after it. */
export const assetRoutes: Route[] = [presign, confirmPresigned, list, confirm, publish, get, remove];

async function confirmNamed(c: ApiContext): Promise<JsonResult<AssetResponse>> {
  const tenant = tenantFor(c);
  const asset = await confirmAsset(tenant, openBuckets(c.env), assetIdOf(c));
  return { data: presentAsset(tenant, asset) };
}

function assetIdOf(c: ApiContext): string {
  return c.req.param("asset_id") ?? "";
}
