import { computed, signal } from "@preact/signals";
import { formatCount } from "../../../core/format-count.ts";
import { copyText } from "../../components/copy-text.ts";
import { deleteLater } from "../../components/delayed-deletion.ts";
import { announce, showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { createAssetQueue, hideAsset, publishAndShow } from "../../uploads/asset-store.ts";
import { type Asset, deleteAsset } from "../../uploads/upload-file.ts";

/** Actions for assets (publish, copy URL, delete), and the upload queue of the dashboard. */

/** True if new files are published as soon as they are uploaded. */
export const arePublished = signal(false);

/** Upload queue of the workspace. Uploads continue when another screen is opened. */
export const uploadQueue = createAssetQueue(() => arePublished.peek());

const isUploading = computed(() =>
  uploadQueue.uploads.value.some(({ phase }) => phase !== "done" && phase !== "failed"),
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
    showToast(
      assets.length === 1
        ? `${first?.filename} published`
        : `${formatCount(assets.length, "file")} published`,
    );
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
  deleteLater({
    ids: [id],
    message: `${filename} deleted`,
    send,
    onUndo: () => announce(`${filename} restored`),
  });
}
