// Pure: no I/O, clock or randomness.
import { readChoice } from "../../address/query-state.ts";
import { ASSET_KINDS, type AssetKind, findKind } from "../../uploads/asset-kind.ts";

/** Filters of the asset list, which are kept in the page's URL. */

/** Views of the list. The first is the default. */
export const ASSET_VIEWS = ["grid", "table"] as const;
/** Choices of the visibility filter. The first is the default. */
export const VISIBILITIES = ["all", "public", "private"] as const;
const KINDS = ["all", ...ASSET_KINDS] as const;

/** Filters and view of the list. */
export interface AssetFilters {
  search: string;
  kind: AssetKind | "all";
  visibility: (typeof VISIBILITIES)[number];
  tag: string;
  view: (typeof ASSET_VIEWS)[number];
}

/** Reads the filters from the query string of the page's URL. */
export function readAssetFilters(query: string): AssetFilters {
  const parameters = new URLSearchParams(query);
  return {
    search: parameters.get("search")?.trim() ?? "",
    kind: readChoice(query, "kind", KINDS),
    visibility: readChoice(query, "visibility", VISIBILITIES),
    tag: parameters.get("tag") ?? "",
    view: readChoice(query, "view", ASSET_VIEWS),
  };
}

/** Returns true if the filters exclude any assets. */
export function areFiltered({ search, kind, visibility, tag }: AssetFilters): boolean {
  return search !== "" || kind !== "all" || visibility !== "all" || tag !== "";
}

/** Fields of an asset that the filters check. */
interface FilteredAsset {
  filename: string;
  mime_type: string;
  is_public: boolean;
  tags: readonly string[];
}

/** Returns the assets that match. The search looks at names and tags, and ignores case. */
export function filterAssets<Asset extends FilteredAsset>(
  assets: readonly Asset[],
  { search, kind, visibility, tag }: AssetFilters,
): Asset[] {
  const wanted = search.toLowerCase();
  return assets.filter(
    ({ filename, mime_type, is_public, tags }) =>
      [filename, ...tags].some((text) => text.toLowerCase().includes(wanted)) &&
      (kind === "all" || findKind(mime_type) === kind) &&
      (visibility === "all" || is_public === (visibility === "public")) &&
      (tag === "" || tags.includes(tag)),
  );
}

/** Lists the distinct tags of assets in alphabetical order. */
export function listTags(assets: readonly { tags: readonly string[] }[]): string[] {
  return [...new Set(assets.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b));
}
