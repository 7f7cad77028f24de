import * as z from "zod";
import type { ApiContext } from "../http/context.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type JsonResult, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import {
  type AssetResponse,
  assetResponse,
  listAssetsQuery,
  PRESIGNED_EXAMPLE,
  presignBody,
  presignResponse,
  UNPUBLISHED_EXAMPLE,
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

const common = { tag: "Assets", rateLimit: "A" } as const;

const presign = defineRoute(
  {
    ...common,
    id: "presignUpload",
    summary: "Create an asset and get the upload URL of its file",
    description:
      "Send the file with the method, URL and headers in `data.upload`, then confirm the upload. The URL is valid for " +
      "15 minutes, for a file of exactly this size and type, and for one successful upload.",
    method: "post",
    path: "/v1/assets/presign",
    scope: "assets:write",
    body: presignBody,
    status: 201,
    data: presignResponse,
    errors: ["PLAN_LIMIT_EXCEEDED"],
    exampleData: PRESIGNED_EXAMPLE,
  },
  async (c, { body }) => {
    const tenant = tenantFor(c);
    const { asset, upload } = await presignAsset(tenant, body, c.env.UPLOAD_SECRET);
    return { data: { ...presentAsset(tenant, asset), upload } };
  },
);

const confirmOperation = {
  ...common,
  summary: "Confirm that a file has been uploaded",
  description: "Has no effect if the asset is already confirmed.",
  method: "post",
  scope: "assets:write",
  data: assetResponse,
  errors: ["ASSET_NOT_UPLOADED", "DELIVERY_BACKLOG"],
  exampleData: UNPUBLISHED_EXAMPLE,
} as const;

const confirm = defineRoute(
  { ...confirmOperation, id: "confirmUpload", path: "/v1/assets/:asset_id/confirm" },
  handleConfirm,
);

/** Alias of {@link confirm}, under the path of `presign`. */
const confirmPresigned = defineRoute(
  { ...confirmOperation, id: "confirmPresignedUpload", path: "/v1/assets/presign/:asset_id/confirm" },
  handleConfirm,
);

const publish = defineRoute(
  {
    ...common,
    id: "publishAsset",
    summary: "Publish a confirmed asset on the CDN",
    description: "Has no effect if the asset is already published.",
    method: "post",
    path: "/v1/assets/:asset_id/publish",
    scope: "assets:write",
    data: assetResponse,
    errors: ["ASSET_NOT_CONFIRMED", "DELIVERY_BACKLOG"],
  },
  async (c) => {
    const tenant = tenantFor(c);
    const asset = await publishAsset(tenant, openBuckets(c.env), getAssetId(c));
    return { data: presentAsset(tenant, asset) };
  },
);

const list = defineRoute(
  {
    ...common,
    id: "listAssets",
    summary: "List assets, newest first",
    method: "get",
    path: "/v1/assets",
    scope: "assets:read",
    query: listAssetsQuery,
    data: z.array(assetResponse),
  },
  async (c, { query }) => {
    const tenant = tenantFor(c);
    const assets = await listAssets(tenant, query);
    return { data: assets.map((asset) => presentAsset(tenant, asset)) };
  },
);

const get = defineRoute(
  {
    ...common,
    id: "getAsset",
    summary: "Get an asset",
    method: "get",
    path: "/v1/assets/:asset_id",
    scope: "assets:read",
    data: assetResponse,
  },
  async (c) => {
    const tenant = tenantFor(c);
    return { data: presentAsset(tenant, await getAsset(tenant, getAssetId(c))) };
  },
);

const remove = defineRoute(
  {
    ...common,
    id: "deleteAsset",
    summary: "Delete an asset with its file and its public URL",
    method: "delete",
    path: "/v1/assets/:asset_id",
    scope: "assets:write",
    data: deletedResponse,
  },
  async (c) => {
    const id = getAssetId(c);
    await deleteAsset(tenantFor(c), openBuckets(c.env), id);
    return { data: { id, deleted: true as const } };
  },
);

/** Routes in matching order. Literal segments must come before `:asset_id`, which would match them too. */
export const assetRoutes: Route[] = [presign, confirmPresigned, list, confirm, publish, get, remove];

async function handleConfirm(c: ApiContext): Promise<JsonResult<AssetResponse>> {
  const tenant = tenantFor(c);
  const asset = await confirmAsset(tenant, openBuckets(c.env), getAssetId(c));
  return { data: presentAsset(tenant, asset) };
}

function getAssetId(c: ApiContext): string {
  return c.req.param("asset_id") ?? "";
}
