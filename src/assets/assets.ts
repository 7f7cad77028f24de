import { and, desc, eq, type SQL } from "drizzle-orm";
import type * as z from "zod";
import { created, defineResource, deleted, shownAs, updated } from "../audit/describe-changes.ts";
import { logChange } from "../audit/shard-log.ts";
import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import { logError } from "../core/log.ts";
import { MINUTE_MS, SECOND_MS, toIso } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { type ListPage, olderThan } from "../db/list-page.ts";
import type { Settings } from "../env.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { recoverOrRefuse, takeUsage } from "../tenant/usage.ts";
import type { EventData } from "../webhooks/events.ts";
import { buildEventWhere, commit } from "../webhooks/outbox.ts";
import type { AssetResponse, NewAsset, presignResponse } from "./assets.schema.ts";
import { assets } from "./assets.table.ts";
import { findImageProblem, IMAGE_HEAD_BYTES } from "./image-signature.ts";
import { getMediaTypeEssence } from "./mime-type.ts";
import { removeAssets } from "./removal.ts";
import { type Buckets, buildPrivateFileKey, copyToPublic, removeFiles } from "./storage.ts";
import { signUploadPath } from "./upload-url.ts";

export type Asset = typeof assets.$inferSelect;

/** Fields of an asset in the audit log. */
const auditedAsset = defineResource("asset", assets, {
  filename: "filename",
  mime_type: "mimeType",
  file_size: "fileSize",
  status: "status",
  is_public: "isPublic",
  tags: shownAs("large", "tags"),
});

/** Lifetime of an upload URL. */
export const UPLOAD_VALID_MS = 15 * MINUTE_MS;

type UploadRequest = z.output<typeof presignResponse>["upload"];

/**
 * Creates a pending asset and the signed upload request for its file, which is valid for
 * {@link UPLOAD_VALID_MS}. The declared size counts towards the workspace's storage immediately. Throws
 * `PLAN_LIMIT_EXCEEDED`.
 */
export async function presignAsset(
  tenant: Tenant,
  input: NewAsset,
  secret: string,
): Promise<{ asset: Asset; upload: UploadRequest }> {
  const asset = buildAsset(tenant, input);
  // Signs the URL first: signing throws if the secret is missing, and then no asset may be created.
  const upload = await buildUploadRequest(tenant, asset, secret);
  try {
    await tenant.db.batch([
      takeUsage(tenant, "storage_bytes", asset.fileSize),
      tenant.db.insert(assets).values(asset),
      logChange(tenant, created(auditedAsset, assetById(asset.workspaceId, asset.id))),
    ]);
  } catch (error) {
    const recovered = await recoverOrRefuse(tenant, "storage_bytes", error, getAsset);
    return { asset: recovered, upload: await buildUploadRequest(tenant, recovered, secret) };
  }
  return { asset, upload };
}

function buildAsset(tenant: Tenant, input: NewAsset): Asset {
  const { workspace, nowMs } = tenant;
  return {
    id: deriveId(tenant),
    workspaceId: workspace.id,
    filename: input.filename,
    mimeType: input.mime_type,
    fileSize: input.file_size,
    status: "pending",
    isPublic: false,
    tags: input.tags ?? [],
    confirmedEtag: null,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

async function buildUploadRequest(
  { settings }: Tenant,
  asset: Asset,
  secret: string,
): Promise<UploadRequest> {
  const expiresAtSeconds = Math.floor((asset.createdAt + UPLOAD_VALID_MS) / SECOND_MS);
  const { workspaceId, id: assetId, fileSize, mimeType } = asset;
  const path = await signUploadPath(secret, { workspaceId, assetId, fileSize, mimeType, expiresAtSeconds });
  return {
    method: "PUT",
    url: settings.apiUrl + path,
    headers: { "Content-Type": mimeType },
    expires_at: toIso(expiresAtSeconds * SECOND_MS),
  };
}

/** Returns an asset of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getAsset({ db, workspace }: Tenant, assetId: string): Promise<Asset> {
  const [asset] = await selectAsset(db, workspace.id, assetId);
  if (asset === undefined) throw createNotFoundError("asset");
  return asset;
}

/** Returns a page of the workspace's assets, newest first. */
export async function listAssets(
  { db, workspace }: Tenant,
  { limit, offset, before }: ListPage,
): Promise<Asset[]> {
  const query = db
    .select()
    .from(assets)
    .where(and(eq(assets.workspaceId, workspace.id), olderThan(assets.id, before)))
    .orderBy(desc(assets.id))
    .limit(limit)
    .offset(offset);
  // Uses a batch, because D1 then reports the number of rows read, which tests check.
  const [page] = await db.batch([query]);
  return page;
}

/**
 * Confirms an upload. Has no effect if the asset is already confirmed. Throws `RESOURCE_NOT_FOUND`,
 * `ASSET_NOT_UPLOADED`, or `VALIDATION_ERROR` if the file isn't an image of the declared type.
 */
export async function confirmAsset(tenant: Tenant, buckets: Buckets, assetId: string): Promise<Asset> {
  const asset = await getAsset(tenant, assetId);
  if (asset.status === "confirmed") return asset;
  const etag = await inspectUpload(buckets, asset);
  const { db, workspace, nowMs } = tenant;
  const pendingAsset = and(assetById(workspace.id, assetId), eq(assets.status, "pending"));
  const [, , [confirmed]] = await commit(
    tenant,
    [
      logChange(tenant, updated(auditedAsset, pendingAsset, { status: "confirmed" })),
      db
        .update(assets)
        .set({ status: "confirmed", confirmedEtag: etag, updatedAt: nowMs })
        .where(pendingAsset),
      selectAsset(db, workspace.id, assetId),
    ],
    buildEventWhere("asset.uploaded", nowMs, buildUploadedData(asset), assets, pendingAsset),
  );
  if (confirmed === undefined) throw createNotFoundError("asset");
  return confirmed;
}

/**
 * Checks the uploaded file of a pending asset and returns its R2 ETag. Throws `ASSET_NOT_UPLOADED`, or
 * `VALIDATION_ERROR` if the file isn't an image of the declared type.
 */
async function inspectUpload(buckets: Buckets, asset: Asset): Promise<string> {
  const uploaded = await buckets.private.get(buildPrivateFileKey(asset), {
    range: { offset: 0, length: Math.min(IMAGE_HEAD_BYTES, asset.fileSize) },
  });
  if (uploaded === null) {
    throw new ApiError("ASSET_NOT_UPLOADED", "The file has not been uploaded to its upload URL yet.");
  }
  const problem = findImageProblem(
    getMediaTypeEssence(asset.mimeType),
    new Uint8Array(await uploaded.arrayBuffer()),
  );
  if (problem !== null) throw createValidationError({ field: "mime_type", message: problem });
  return uploaded.etag;
}

/**
 * Publishes a confirmed asset by copying its file to the public bucket. Has no effect if the asset is already
 * public. If the Worker crashes between the copy and the database update, the next call overwrites the copy,
 * and a deletion removes it. Throws `RESOURCE_NOT_FOUND` or `ASSET_NOT_CONFIRMED`.
 */
export async function publishAsset(tenant: Tenant, buckets: Buckets, assetId: string): Promise<Asset> {
  const asset = await getAsset(tenant, assetId);
  if (asset.isPublic) return asset;
  if (asset.confirmedEtag === null) {
    throw new ApiError(
      "ASSET_NOT_CONFIRMED",
      "The upload must be confirmed before the asset can be published.",
    );
  }
  const { db, workspace, nowMs } = tenant;
  const selectCurrent = selectAsset(db, workspace.id, assetId);
  const unpublishedAsset = and(assetById(workspace.id, assetId), eq(assets.isPublic, false));
  try {
    if (!(await copyToPublic(buckets, asset, asset.confirmedEtag))) {
      throw new Error(`the confirmed file of asset ${assetId} is missing in the private bucket`);
    }
    const [, , [published]] = await commit(
      tenant,
      [
        logChange(tenant, updated(auditedAsset, unpublishedAsset, { isPublic: true })),
        db.update(assets).set({ isPublic: true, updatedAt: nowMs }).where(unpublishedAsset),
        selectCurrent,
      ],
      buildEventWhere("asset.published", nowMs, buildPublishedData(tenant, asset), assets, unpublishedAsset),
    );
    if (published === undefined) throw createNotFoundError("asset");
    return published;
  } catch (error) {
    if ((await selectCurrent).length > 0) throw error;
    // The asset was deleted during the copy, before the deletion could remove the copy.
    await removeFiles(buckets, [asset]);
    throw createNotFoundError("asset");
  }
}

function buildUploadedData({ id, filename, mimeType, fileSize }: Asset): EventData["asset.uploaded"] {
  return { asset_id: id, filename, mime_type: mimeType, file_size: fileSize };
}

function buildPublishedData({ settings }: Tenant, asset: Asset): EventData["asset.published"] {
  return { asset_id: asset.id, filename: asset.filename, public_url: formatPublicUrl(settings, asset) };
}

/** Deletes an asset with its files in both buckets, and releases its storage. Throws `RESOURCE_NOT_FOUND`. */
export async function deleteAsset(tenant: Tenant, buckets: Buckets, assetId: string): Promise<void> {
  const [, , , [asset]] = await tenant.db.batch([
    logChange(tenant, deleted(auditedAsset, assetById(tenant.workspace.id, assetId))),
    ...removeAssets(tenant, eq(assets.id, assetId)),
  ]);
  if (asset === undefined) throw createNotFoundError("asset");
  // If this fails or is interrupted, the sweep removes the files within a minute.
  await removeFiles(buckets, [asset]).catch((error) => {
    logError(`removing the files of asset ${assetId} failed; the sweep will remove them`, error);
  });
}

/** Formats an asset for a response. */
export function presentAsset({ settings }: Tenant, asset: Asset): AssetResponse {
  return {
    id: asset.id,
    filename: asset.filename,
    mime_type: asset.mimeType,
    file_size: asset.fileSize,
    status: asset.status,
    is_public: asset.isPublic,
    public_url: asset.isPublic ? formatPublicUrl(settings, asset) : null,
    tags: asset.tags,
    created_at: toIso(asset.createdAt),
    updated_at: toIso(asset.updatedAt),
  };
}

function formatPublicUrl({ cdnUrl }: Settings, { id, filename }: Asset): string {
  return `${cdnUrl}/${id}/${encodeURIComponent(filename)}`;
}

/** Returns the query for one asset. Also used in batches, and by uploads, which have no tenant. */
export function selectAsset(db: Database, workspaceId: string, assetId: string) {
  return db.select().from(assets).where(assetById(workspaceId, assetId));
}

function assetById(workspaceId: string, assetId: string): SQL | undefined {
  return and(eq(assets.workspaceId, workspaceId), eq(assets.id, assetId));
}
