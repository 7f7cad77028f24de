import { useState } from "preact/hooks";
import { findKind, nameType } from "../uploads/asset-kind.ts";
import { findPreview } from "../uploads/asset-store.ts";
import type { Asset } from "../uploads/upload-file.ts";
import css from "./asset-picture.module.css";
import { Icon } from "./icon.tsx";

/**
 * Preview image of an asset, or its file type if there is none. The alt text is empty because the file name
 * is shown next to it.
 */
export function AssetPicture({ asset }: { asset: Asset }) {
  const address = findPreview(asset);
  const [broken, setBroken] = useState<string | null>(null);
  if (address !== null && address !== broken)
    return (
      <img
        class={css.picture}
        data-ui="asset-picture"
        src={address}
        alt=""
        loading="lazy"
        onError={() => setBroken(address)}
      />
    );
  const kind = findKind(asset.mime_type);
  return (
    <span class={`${css.picture} ${css.noPicture}`} data-ui="asset-picture">
      <Icon name={kind === "image" ? "image" : "file"} size={22} />
      <span class={css.type} data-ui="asset-type">
        {nameType(asset.filename, asset.mime_type)}
      </span>
    </span>
  );
}
