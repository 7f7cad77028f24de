import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { asFault } from "../data/calls.ts";
import { usePagedList } from "../data/resources.ts";
import { canEdit } from "../session/session.ts";
import { isPicture } from "../uploads/asset-kind.ts";
import {
  ASSETS_KEY,
  type AssetPage,
  createAssetQueue,
  publishAndShow,
  readAssets,
} from "../uploads/asset-store.ts";
import type { Asset } from "../uploads/upload-file.ts";
import css from "./asset-picker.module.css";
import assetPictureCss from "./asset-picture.module.css";
import { AssetPicture } from "./asset-picture.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { DropZone } from "./drop-zone.tsx";
import fieldCss from "./field.module.css";
import { FaultNotice, Skeleton } from "./states.tsx";
import { showToast } from "./toast-list.ts";
import { UploadList } from "./upload-list.tsx";

interface AssetPickerProps {
  title?: string | undefined;
  /** Called with the public URL of the chosen image. A private image is published first. */
  onPick: (publicUrl: string, asset: Asset) => void;
  onClose: () => void;
  /** Limits the choice. Default: all images that browsers can show. */
  isAllowed?: ((asset: Asset) => boolean) | undefined;
  /** Media types that the file picker offers. */
  accept?: string | undefined;
  /** Describes which images are allowed, such as "PNG or JPEG of at most 1 MB". */
  hint?: string | undefined;
}

const isShownImage = ({ mime_type: type }: Asset) => isPicture(type);

/** Dialog for choosing an image from the assets or uploading a new one. Closes once an image is chosen. */
export function AssetPicker({
  title = "Choose an image",
  onPick,
  onClose,
  isAllowed = isShownImage,
  accept = "image/png,image/jpeg,image/gif,image/webp,image/avif",
  hint = "PNG, JPEG, GIF, WebP or AVIF",
}: AssetPickerProps) {
  const list = usePagedList<AssetPage>(ASSETS_KEY, readAssets);
  const queue = useMemo(() => createAssetQueue(() => true), []);
  const [search, setSearch] = useState("");
  const [busyId, setBusyId] = useState<string | null>(null);
  const picked = useRef(false);
  const pick = async (asset: Asset) => {
    setBusyId(asset.id);
    try {
      const address = await publishAndShow(asset);
      if (picked.current) return;
      picked.current = true;
      onPick(address, asset);
      onClose();
    } catch (fault) {
      showToast(asFault(fault).message);
    }
    setBusyId(null);
  };
  const uploaded = queue.uploads.value.find(({ phase }) => phase === "done")?.result;
  useEffect(() => {
    if (!uploaded) return;
    queue.clearDone();
    if (isAllowed(uploaded)) void pick(uploaded);
    else showToast(`${uploaded.filename} can't be used here. Allowed: ${hint}.`);
  }, [uploaded]);
  useEffect(
    () => () => {
      for (const { id } of queue.uploads.peek()) queue.remove(id);
    },
    [],
  );

  const page = list.value;
  const wanted = search.trim().toLowerCase();
  const shown = page?.items.filter(
    (asset) =>
      asset.status === "confirmed" &&
      // Only editors can publish, so others can only choose public images.
      (asset.is_public || canEdit.value) &&
      isAllowed(asset) &&
      asset.filename.toLowerCase().includes(wanted),
  );
  return (
    <Dialog kind="wide" title={title} onClose={onClose}>
      <div class="stack">
        {canEdit.value && (
          <DropZone label="Upload an image" accept={accept} isSingle onFiles={(files) => queue.add(files)}>
            or drag one here. {hint}.
          </DropZone>
        )}
        <UploadList queue={queue} hidesDone />
        {list.fault !== null && <FaultNotice fault={list.fault} onRetry={list.reload} />}
        {page !== undefined && page.items.length > 8 && (
          <input
            class={fieldCss.input}
            data-ui="input"
            type="search"
            aria-label="Search images"
            placeholder="Search by name"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <ul class={css.choices} aria-label="Images" aria-busy={shown === undefined}>
          {shown === undefined
            ? list.fault === null && [0, 1, 2, 3].map((index) => <WaitingChoice key={index} />)
            : shown.map((asset) => (
                <li key={asset.id}>
                  <button
                    type="button"
                    class={css.choice}
                    aria-busy={busyId === asset.id || undefined}
                    onClick={() => void pick(asset)}
                  >
                    <AssetPicture asset={asset} />
                    <span class="one-line">{asset.filename}</span>
                    {!asset.is_public && <span class="small muted">Will be published</span>}
                  </button>
                </li>
              ))}
        </ul>
        {shown?.length === 0 && (
          <p class="muted small">
            {wanted === "" ? "No suitable images yet." : "No images match your search."}
          </p>
        )}
        {page && page.nextBefore !== null && (
          <div class="row">
            <Button size="s" isBusy={list.isLoading} onClick={list.readFurther}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

function WaitingChoice() {
  return (
    <li class={css.choice}>
      <span class={`${assetPictureCss.picture} ${assetPictureCss.noPicture}`} data-ui="asset-picture" />
      <Skeleton />
    </li>
  );
}
