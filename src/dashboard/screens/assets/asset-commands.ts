import { computed, effect, signal } from "@preact/signals";
import { copyText } from "../../components/copy-text.ts";
import { deleteLater } from "../../components/delayed-deletion.ts";
import { announce, showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { workspace } from "../../session/session.ts";
import { type AssetQueue, createAssetQueue, hideAsset, publishAndShow } from "../../uploads/asset-store.ts";
import { type Asset, deleteAsset } from "../../uploads/upload-file.ts";

/** Actions for assets (publish, copy URL, delete), and the upload queue of the dashboard. */

/** True if new files are published as soon as they are uploaded. */
export const arePublished = signal(false);

/** Upload queue of the current workspace. Uploads continue when another screen is opened. */
export const uploadQueue = signal<AssetQueue>(createAssetQueue(() => arePublished.peek()));

let queueSlug: string | undefined;
// API calls go to the current workspace. Switching workspaces therefore cancels the uploads of the previous
// one.
effect(() => {
  const slug = workspace.value?.slug;
  if (slug === queueSlug || slug === undefined) return;
  if (queueSlug !== undefined) {
    const former = uploadQueue.peek();
    for (const { id } of former.uploads.peek()) former.remove(id);
    uploadQueue.value = createAssetQueue(() => arePublished.peek());
  }
  queueSlug = slug;
});

const isUploading = computed(() =>
  uploadQueue.value.uploads.value.some(({ phase }) => phase !== "done" && phase !== "failed"),
);

// Leaving the page would abort uploads, so the browser asks first.
addEventListener("beforeunload", (event) => {
  if (isUploading.peek()) event.preventDefault();
});

/** Publishes assets one after the other. */
export async function publishAll(assets: readonly Asset[]): Promise<void> {
  try {
    for (const asset of assets) await publishAndShow(asset);
    const [first] = assets;
    showToast(assets.length === 1 ? `${first?.filename} published` : `${assets.length} files published`);
  } catch (fault) {
    showToast(asFault(fault).message);
  }
}

/** Copies the public URL of an asset. Does nothing for private assets, which have none. */
export async function copyAddress({ public_url: url, filename }: Asset): Promise<void> {
  if (url === null) return;
  if (await copyText(url)) showToast(`Copied URL of ${filename}`);
}

/** Deletes an asset, with a button to undo it. */
export function removeAsset({ id, filename }: Asset, onGone: () => void): void {
  const send = async (isLeaving: boolean) => {
    await deleteAsset(id, isLeaving);
    hideAsset(id);
    onGone();
  };
  deleteLater({ id, message: `${filename} deleted`, send, onUndo: () => announce(`${filename} restored`) });
}
