import { and, desc, eq, type SQL } from "drizzle-orm";
import type * as z from "zod";
import { ApiError, invalid, notFound } from "../core/error.ts";
import { MINUTE_MS, SECOND_MS, toIso } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import { deriveId } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { recoverOrRefuse, takeUsage } from "../tenant/usage.ts";
import type { EventData } from "../webhooks/events.ts";
import { commit, newEventWhere } from "../webhooks/outbox.ts";
import type { AssetResponse, NewAsset, presignResponse } from "./assets.schema.ts";
import { assets } from "./assets.table.ts";
import { IMAGE_HEAD_BYTES, imageFault } from "./image-signature.ts";
import { mediaTypeEssence } from "./mime-type.ts";
import { removeAssets } from "./removal.ts";
import { type Buckets, copyToPublic, privateKey, removeFiles } from "./storage.ts";
import { signUploadPath } from "./upload-url.ts";

/** An asset as it is stored. */
export type Asset = typeof assets.$inferSelect;

/** How long an upload address is good for (decisions section 6). */
export const UPLOAD_VALID_MS = 15 * MINUTE_MS;

/** The request that uploads an asset's bytes. */
type UploadRequest = z.output<typeof presignResponse>["upload"];

/**
 * Creates a pending asset, whose bytes count from now on, and signs the request that uploads them: good for
 * {@link UPLOAD_VALID_MS}. Throws `PLAN_LIMIT_EXCEEDED`.
 */
export async function presignAsset(
  tenant: Tenant,
  input: NewAsset,
  secret: string,
): Promise<{ asset: Asset; upload: UploadRequest }> {
  const asset = newRow(tenant, input);
  // Signed first: without the secret nothing is made.
  const upload = await buildUploadRequest(tenant, asset, secret);
  try {
    await tenant.db.batch([
      takeUsage(tenant, "storage_bytes", asset.fileSize),
      tenant.db.insert(assets).values(asset),
    ]);
  } catch (error) {
    const made = await recoverOrRefuse(tenant, "storage_bytes", error, getAsset);
    return { asset: made, upload: await buildUploadRequest(tenant, made, secret) };
  }
  return { asset, upload };
}

function newRow(tenant: Tenant, input: NewAsset): Asset {
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

/** An asset of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getAsset({ db, workspace }: Tenant, assetId: string): Promise<Asset> {
  const [asset] = await selectAsset(db, workspace.id, assetId);
  if (asset === undefined) throw notFound();
  return asset;
}

/** A page of the workspace's assets, newest first. */
export async function listAssets({ db, workspace }: Tenant, limit: number, offset: number): Promise<Asset[]> {
  return db
    .select()
    .from(assets)
    .where(eq(assets.workspaceId, workspace.id))
    .orderBy(desc(assets.id))
    .limit(limit)
    .offset(offset);
}

/**
 * Confirms an upload; a no-op if it is confirmed. Errors: `RESOURCE_NOT_FOUND`, `ASSET_NOT_UPLOADED`, and
 * `VALIDATION_ERROR` if the bytes contradict a declared image type.
 */
export async function confirmAsset(tenant: Tenant, buckets: Buckets, assetId: string): Promise<Asset> {
  const asset = await getAsset(tenant, assetId);
  if (asset.status === "confirmed") return asset;
  const etag = await inspectUpload(buckets, asset);
  const { db, workspace, nowMs } = tenant;
  const isPending = and(assetById(workspace.id, assetId), eq(assets.status, "pending"));
  const [, [confirmed]] = await commit(
    tenant,
    [
      db.update(assets).set({ status: "confirmed", confirmedEtag: etag, updatedAt: nowMs }).where(isPending),
      selectAsset(db, workspace.id, assetId),
    ],
    newEventWhere("asset.uploaded", nowMs, uploadedData(asset), assets, isPending),
  );
  if (confirmed === undefined) throw notFound();
  return confirmed;
}

/** The ETag of a pending asset's bytes, once they are there and look like what was declared. */
async function inspectUpload(buckets: Buckets, asset: Asset): Promise<string> {
  const uploaded = await buckets.private.get(privateKey(asset), {
    range: { offset: 0, length: Math.min(IMAGE_HEAD_BYTES, asset.fileSize) },
  });
  if (uploaded === null) {
    throw new ApiError("ASSET_NOT_UPLOADED", "The file has not been uploaded to its upload address yet.");
  }
  const fault = imageFault(mediaTypeEssence(asset.mimeType), new Uint8Array(await uploaded.arrayBuffer()));
  if (fault !== null) throw invalid({ field: "mime_type", message: fault });
  return uploaded.etag;
}

/**
 * Publishes a confirmed asset: copies the confirmed bytes to the public bucket; a no-op if it is public. A copy that
 * a crash leaves behind is written again by the next call, or goes when the asset is deleted.
 * Errors: `RESOURCE_NOT_FOUND`, `ASSET_NOT_CONFIRMED`.
 */
export async function publishAsset(tenant: Tenant, buckets: Buckets, assetId: string): Promise<Asset> {
  const asset = await getAsset(tenant, assetId);
  if (asset.isPublic) return asset;
  if (asset.confirmedEtag === null) {
    throw new ApiError("ASSET_NOT_CONFIRMED", "The upload has to be confirmed before it can be published.");
  }
  const { db, workspace, nowMs } = tenant;
  const selectCurrent = selectAsset(db, workspace.id, assetId);
  const isPrivate = and(assetById(workspace.id, assetId), eq(assets.isPublic, false));
  try {
    if (!(await copyToPublic(buckets, asset, asset.confirmedEtag))) {
      throw new Error(`the confirmed bytes of asset ${assetId} are gone`);
    }
    const [, [published]] = await commit(
      tenant,
      [db.update(assets).set({ isPublic: true, updatedAt: nowMs }).where(isPrivate), selectCurrent],
      newEventWhere("asset.published", nowMs, publishedData(tenant, asset), assets, isPrivate),
    );
    if (published === undefined) throw notFound();
    return published;
  } catch (error) {
    if ((await selectCurrent).length > 0) throw error;
    // Deleted while it was copied: what this call wrote came after the bytes were removed.
    await removeFiles(buckets, [asset]);
    throw notFound();
  }
}

function uploadedData({ id, filename, mimeType, fileSize }: Asset): EventData["asset.uploaded"] {
  return { asset_id: id, filename, mime_type: mimeType, file_size: fileSize };
}

function publishedData({ settings }: Tenant, asset: Asset): EventData["asset.published"] {
  return { asset_id: asset.id, filename: asset.filename, public_url: formatPublicUrl(settings, asset) };
}

/** Deletes an asset, its bytes in both buckets, and gives back its storage. Throws `RESOURCE_NOT_FOUND`. */
export async function deleteAsset(tenant: Tenant, buckets: Buckets, assetId: string): Promise<void> {
  const [, , [asset]] = await tenant.db.batch(removeAssets(tenant, eq(assets.id, assetId)));
  if (asset === undefined) throw notFound();
  // What fails here, or is cut off, the sweep does within a minute.
  await removeFiles(buckets, [asset]).catch((error) => {
    console.error(`the bytes of asset ${assetId} are left to the sweep`, error);
  });
}

/** The asset as it is answered. */
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

/** The query of one asset; for an upload, which has no API key, and for batches. */
export function selectAsset(db: Database, workspaceId: string, assetId: string) {
  return db.select().from(assets).where(assetById(workspaceId, assetId));
}

function assetById(workspaceId: string, assetId: string): SQL | undefined {
  return and(eq(assets.workspaceId, workspaceId), eq(assets.id, assetId));
}
