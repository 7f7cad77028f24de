import { formatBytes } from "../../../core/byte-size.ts";
import assetPictureCss from "../../components/asset-picture.module.css";
import { AssetPicture } from "../../components/asset-picture.tsx";
import { Badge } from "../../components/badge.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import rowNameCss from "../../components/row-name.module.css";
import { Skeleton } from "../../components/states.tsx";
import { nameType } from "../../uploads/asset-kind.ts";
import type { Asset } from "../../uploads/upload-file.ts";
import { AssetMenu } from "./asset-menu.tsx";
import css from "./asset-views.module.css";

/** Properties of both views of the list. They show placeholders while `assets` is undefined. */
export interface AssetViewProps {
  assets: readonly Asset[] | undefined;
  onOpen: (id: string) => void;
  onRemove: (asset: Asset) => void;
}

const WAITING = [0, 1, 2, 3, 4, 5, 6, 7];

/** Badge with the visibility of an asset, or "Incomplete" if its upload didn't finish. */
export function AssetState({ asset: { status, is_public: isPublic } }: { asset: Asset }) {
  if (status !== "confirmed") return <Badge tone="warn">Incomplete</Badge>;
  return isPublic ? (
    <Badge tone="good" icon="globe">
      Public
    </Badge>
  ) : (
    <Badge icon="lock">Private</Badge>
  );
}

/** Assets as a grid of pictures. */
export function AssetGrid({ assets, onOpen, onRemove }: AssetViewProps) {
  return (
    <ul class={css.grid} aria-label="Files" aria-busy={assets === undefined}>
      {assets === undefined
        ? WAITING.map((index) => (
            <li key={index} class={css.card}>
              <span
                class={`${assetPictureCss.picture} ${assetPictureCss.noPicture}`}
                data-ui="asset-picture"
              />
              <Skeleton />
            </li>
          ))
        : assets.map((asset) => (
            <li key={asset.id} class={css.card}>
              <button
                type="button"
                class={css.open}
                aria-label={asset.filename}
                onClick={() => onOpen(asset.id)}
              >
                <AssetPicture asset={asset} />
              </button>
              <div class={css.line}>
                <span class={`one-line ${css.name}`} title={asset.filename}>
                  {asset.filename}
                </span>
                <AssetMenu asset={asset} onOpen={onOpen} onRemove={onRemove} />
              </div>
              <div class="row">
                <AssetState asset={asset} />
                <span class="small muted numeric push">{formatBytes(asset.file_size)}</span>
              </div>
            </li>
          ))}
    </ul>
  );
}

/** Assets as a table. */
export function AssetTable({ assets, onOpen, onRemove }: AssetViewProps) {
  const columns: Column<Asset>[] = [
    {
      name: "name",
      header: "Name",
      layout: "grow",
      cell: (asset) => (
        <div class="row">
          <span class={css.thumb}>
            <AssetPicture asset={asset} />
          </span>
          <button
            type="button"
            class={`one-line ${rowNameCss.linkCode}`}
            data-ui="link-code"
            onClick={() => onOpen(asset.id)}
          >
            {asset.filename}
          </button>
        </div>
      ),
    },
    {
      name: "state",
      header: "Visibility",
      layout: "fit more bare",
      cell: (asset) => <AssetState asset={asset} />,
    },
    {
      name: "type",
      header: "Type",
      layout: "fit more bare",
      cell: ({ filename, mime_type }) => nameType(filename, mime_type),
    },
    {
      name: "size",
      header: "Size",
      layout: "fit end more bare numeric",
      cell: ({ file_size }) => formatBytes(file_size),
    },
    {
      name: "created",
      header: "Uploaded",
      layout: "fit more bare numeric",
      cell: ({ created_at }) => formatDay(created_at),
    },
    {
      name: "commands",
      header: "Actions",
      isHeaderHidden: true,
      layout: "fit end",
      cell: (asset) => (
        <span class="row">
          {asset.public_url !== null && (
            <CopyButton text={asset.public_url} what={`URL of ${asset.filename}`} />
          )}
          <AssetMenu asset={asset} onOpen={onOpen} onRemove={onRemove} />
        </span>
      ),
    },
  ];
  return (
    <div class={dataTableCss.frame}>
      <DataTable
        label="Files"
        columns={columns}
        rows={assets}
        getKey={({ id }) => id}
        getName={({ filename }) => filename}
        onOpen={({ id }) => onOpen(id)}
      />
    </div>
  );
}

/** Formats a day, such as `22 Nov 2026`. */
export function formatDay(iso: string): string {
  return new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}
