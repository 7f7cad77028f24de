import { CallError } from "../data/call-error.ts";
import { api, callApi } from "../data/calls.ts";
import { type PagedList, putItem, removeItems, toFullPage } from "../data/paged-list.ts";
import type { Rollback } from "../data/resource-cache.ts";
import { resources } from "../data/resources.ts";
import { findFileFault, isPicture } from "./asset-kind.ts";
import { type Asset, createUploadJob, publishAsset } from "./upload-file.ts";
import { UploadQueue } from "./upload-queue.ts";

/** Loads the workspace's assets, and updates the cached list. */

export type AssetPage = PagedList<Asset>;

/** Key of the list in the cache. */
export const ASSETS_KEY = "assets";
const PAGE_SIZE = 100;
/** Maximum assets that are loaded for filtering, because the API has no filters for assets. */
export const FILTERED_MAX = 2_000;

/** Loads a page of the list, from the start or after an asset. */
export async function readAssets(before: string | null = null): Promise<AssetPage> {
  const query = { limit: PAGE_SIZE, ...(before !== null && { before }) };
  const { data } = await callApi(api.GET("/v1/assets", { params: { query } }));
  return toFullPage(data, PAGE_SIZE);
}

/** Adds a new asset to the cached list, or replaces a changed one. */
export function showAsset(asset: Asset): Rollback {
  return resources.change<AssetPage>(ASSETS_KEY, (page) => putItem(page, asset));
}

/** Removes an asset from the cached list. */
export function hideAsset(id: string): Rollback {
  return resources.change<AssetPage>(ASSETS_KEY, (page) => removeItems(page, new Set([id])));
}

/** Publishes an asset, updates it in the cached list, and returns its public URL. */
export async function publishAndShow(asset: Asset): Promise<string> {
  if (asset.public_url !== null) return asset.public_url;
  const published = await publishAsset(asset.id);
  showAsset(published);
  return published.public_url ?? "";
}

const PREVIEWS_MAX = 40;
const previews = new Map<string, string>();

/**
 * Keeps a preview of an image uploaded in this tab, because the service doesn't serve images before they are
 * published.
 */
function keepPreview(id: string, file: File): void {
  if (!isPicture(file.type)) return;
  previews.set(id, URL.createObjectURL(file));
  const [oldest] = previews;
  if (previews.size <= PREVIEWS_MAX || oldest === undefined) return;
  previews.delete(oldest[0]);
  URL.revokeObjectURL(oldest[1]);
}

/** Returns the URL of an asset's preview image, or null if there is none. */
export function findPreview({ id, mime_type: type, public_url: url }: Asset): string | null {
  return isPicture(type) && url !== null ? url : (previews.get(id) ?? null);
}

export type AssetQueue = UploadQueue<File, Asset>;

/** Creates a queue that uploads files to the workspace. `arePublished` returns whether to publish a file. */
export function createAssetQueue(arePublished: () => boolean): AssetQueue {
  return new UploadQueue({
    createJob: (file: File) => createUploadJob(file, arePublished()),
    findFault: (file) => {
      const message = findFileFault(file);
      return message === null ? null : new CallError({ kind: "invalid", code: "INVALID_FILE", message });
    },
    onDone: (asset, file) => {
      keepPreview(asset.id, file);
      showAsset(asset);
    },
  });
}
