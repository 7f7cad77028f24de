import { formatBytes } from "../../../core/byte-size.ts";
import { AssetPicture } from "../../components/asset-picture.tsx";
import { Badge } from "../../components/badge.tsx";
import buttonCss from "../../components/button.module.css";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { FaultNotice, Skeleton } from "../../components/states.tsx";
import { api, callApi } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { canEdit } from "../../session/session.ts";
import type { Asset } from "../../uploads/upload-file.ts";
import { publishAll } from "./asset-commands.ts";
import css from "./asset-dialog.module.css";
import { AssetState, formatDay } from "./asset-views.tsx";

interface AssetDialogProps {
  id: string;
  known: Asset | undefined;
  onClose: () => void;
  onRemove: (asset: Asset) => void;
}

async function readAsset(id: string): Promise<Asset> {
  const params = { path: { asset_id: id } };
  return (await callApi(api.GET("/v1/assets/{asset_id}", { params }))).data;
}

/** Panel with the preview, public URL and details of an asset. */
export function AssetDialog({ id, known, onClose, onRemove }: AssetDialogProps) {
  const read = useResource<Asset | null>(`asset ${id}`, async () => (known ? null : readAsset(id)));
  const asset = known ?? read.value ?? undefined;
  const remove = () => {
    if (asset === undefined) return;
    onClose();
    onRemove(asset);
  };
  return (
    <Dialog
      kind="panel"
      title={<span class="one-line">{asset?.filename ?? "File"}</span>}
      onClose={onClose}
      foot={
        asset !== undefined &&
        canEdit.value && (
          <Button kind="danger" icon="trash" onClick={remove}>
            Delete
          </Button>
        )
      }
    >
      {read.fault !== null && <FaultNotice fault={read.fault} onRetry={read.reload} />}
      {asset === undefined ? read.fault === null && <Skeleton /> : <AssetFacts asset={asset} />}
    </Dialog>
  );
}

function AssetFacts({ asset }: { asset: Asset }) {
  const { public_url: url, status, mime_type, file_size, created_at, tags } = asset;
  return (
    <div class={`stack ${css.facts}`}>
      <AssetPicture asset={asset} />
      {url !== null && (
        <>
          <div class={css.address}>
            <code>{url}</code>
          </div>
          <div class="row wrap">
            <CopyButton text={url} what="URL" hasText />
            <a
              class={`${buttonCss.button} ${buttonCss.s}`}
              data-ui="button"
              href={url}
              target="_blank"
              rel="noopener"
            >
              <Icon name="external" size={16} />
              Open
            </a>
          </div>
        </>
      )}
      {url === null && status === "confirmed" && (
        <div class="stack tight">
          <p class="small muted">
            This file is private. Publish it to get a public URL that works until you delete the file.
          </p>
          {canEdit.value && (
            <div class="row">
              <Button kind="primary" icon="globe" onClick={() => void publishAll([asset])}>
                Publish
              </Button>
            </div>
          )}
        </div>
      )}
      {status !== "confirmed" && (
        <p class="small muted">The upload didn't finish. This file will be removed within 24 hours.</p>
      )}
      <dl class={css.data}>
        <div>
          <dt>Visibility</dt>
          <dd>
            <AssetState asset={asset} />
          </dd>
        </div>
        <div>
          <dt>Type</dt>
          <dd>{mime_type}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd class="numeric">{formatBytes(file_size)}</dd>
        </div>
        <div>
          <dt>Uploaded</dt>
          <dd class="numeric">{formatDay(created_at)}</dd>
        </div>
        {tags.length > 0 && (
          <div>
            <dt>Tags</dt>
            <dd class="row wrap">
              {tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
