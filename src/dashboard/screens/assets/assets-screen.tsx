import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { query, setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { hiddenIds } from "../../components/delayed-deletion.ts";
import { DropZone } from "../../components/drop-zone.tsx";
import { Check } from "../../components/field.tsx";
import { ListFoot } from "../../components/list-foot.tsx";
import screenCss from "../../components/screen.module.css";
import { EmptyState, FaultNotice } from "../../components/states.tsx";
import { announce } from "../../components/toast-list.ts";
import { UploadList } from "../../components/upload-list.tsx";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { usePagedList, useResource } from "../../data/resources.ts";
import { useShortcuts } from "../../keyboard/shortcuts.ts";
import { canEdit } from "../../session/session.ts";
import { ASSETS_KEY, type AssetPage, FILTERED_MAX, readAssets } from "../../uploads/asset-store.ts";
import type { Asset } from "../../uploads/upload-file.ts";
import { arePublished, publishAll, removeAsset, uploadQueue } from "./asset-commands.ts";
import { AssetDialog } from "./asset-dialog.tsx";
import { areFiltered, filterAssets, listTags, readAssetFilters } from "./asset-filters.ts";
import { AssetGrid, AssetTable } from "./asset-views.tsx";
import { AssetsToolbar } from "./assets-toolbar.tsx";
import { StorageMeter } from "./storage-meter.tsx";

async function readUsage(): Promise<Schemas["Usage"]> {
  return (await callApi(api.GET("/v1/workspace/usage"))).data;
}

/** Assets screen: uploads files, and lists them with search, filters, publishing and deletion. */
export default function AssetsScreen() {
  const filters = readAssetFilters(query.value);
  const isFiltered = areFiltered(filters);
  const list = usePagedList<AssetPage>(ASSETS_KEY, readAssets);
  const usage = useResource<Schemas["Usage"]>("workspace-usage", readUsage);
  const search = useRef<HTMLInputElement>(null);
  const openedId = new URLSearchParams(query.value).get("asset");
  const page = list.value;
  const queue = uploadQueue;

  const known = page?.items.filter(({ id }) => !hiddenIds.value.has(id));
  const shown = known && filterAssets(known, filters);
  const readsFurther = page !== undefined && page.nextBefore !== null && page.items.length < FILTERED_MAX;
  // The API can't filter assets, so all pages are loaded and filtered here, up to `FILTERED_MAX` assets.
  useEffect(() => {
    if (isFiltered && readsFurther && !list.isLoading && list.fault === null) list.readFurther();
  }, [isFiltered, readsFurther, list.isLoading, page?.items.length]);
  useEffect(() => {
    if (isFiltered && shown !== undefined && !readsFurther) announce(formatCount(shown.length, "file"));
  }, [shown?.length, isFiltered, readsFurther]);

  const uploads = queue.uploads.value;
  const doneCount = uploads.filter(({ phase }) => phase === "done").length;
  const isBusy = uploads.some(({ phase }) => phase !== "done" && phase !== "failed");
  useEffect(() => {
    if (doneCount === 0) return;
    usage.reload();
    if (!isBusy) announce(`${formatCount(doneCount, "file")} uploaded`);
  }, [doneCount, isBusy]);
  const ready = uploads.flatMap(({ result }) => {
    const asset = page?.items.find(({ id }) => id === result?.id);
    return asset && !asset.is_public ? [asset] : [];
  });
  useShortcuts([{ keys: "/", label: "Search files", run: () => search.current?.focus() }]);
  const open = (id: string) => setQuery({ asset: id }, { push: true });
  const remove = (asset: Asset) => removeAsset(asset, usage.reload);
  const View = filters.view === "grid" ? AssetGrid : AssetTable;
  return (
    <div class={screenCss.screen} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <h1>Assets</h1>
        <StorageMeter usage={usage.value} />
      </div>
      {canEdit.value && (
        <div class="stack tight">
          <DropZone label="Choose files" onFiles={(files) => queue.add(files)}>
            or drag them anywhere on this page. Up to 100 MB each.
          </DropZone>
          <Check
            isSwitch
            label="Publish new files automatically"
            isChecked={arePublished.value}
            onChange={(isChecked) => {
              arePublished.value = isChecked;
            }}
          />
        </div>
      )}
      <UploadList queue={queue} />
      {doneCount > 0 && !isBusy && (
        <div class="row wrap">
          {ready.length > 0 && (
            <Button kind="primary" icon="globe" onClick={() => void publishAll(ready)}>
              Publish {ready.length === 1 ? "file" : `all ${ready.length}`}
            </Button>
          )}
          <Button kind="plain" onClick={() => queue.clearDone()}>
            Clear finished uploads
          </Button>
        </div>
      )}
      {list.fault !== null && <FaultNotice fault={list.fault} onRetry={list.reload} />}
      {known?.length === 0 && page?.nextBefore === null ? (
        <EmptyState title="No files yet">
          {canEdit.value
            ? "Upload logos for QR codes, images for bio pages, menus and price lists. Each published file gets a URL that never changes."
            : "Ask an editor or owner of this workspace to upload files."}
        </EmptyState>
      ) : (
        <>
          <AssetsToolbar filters={filters} tags={listTags(known ?? [])} search={search} />
          {shown?.length === 0 && !readsFurther ? (
            <EmptyState
              title="No files match your filters"
              actions={
                <Button onClick={() => setQuery({ search: null, kind: null, visibility: null, tag: null })}>
                  Clear filters
                </Button>
              }
            >
              Try a different name, type or tag.
            </EmptyState>
          ) : (
            (known !== undefined || list.fault === null) && (
              <View assets={shown} onOpen={open} onRemove={remove} />
            )
          )}
          <div class="row between small muted">
            <ListFoot list={list} shown={shown?.length} noun="file" />
          </div>
        </>
      )}
      {openedId !== null && (
        <AssetDialog
          key={openedId}
          id={openedId}
          known={known?.find(({ id }) => id === openedId)}
          onClose={() => setQuery({ asset: null })}
          onRemove={remove}
        />
      )}
    </div>
  );
}
