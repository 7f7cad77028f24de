import type { RefObject } from "preact";
import { setQuery } from "../../address/address.ts";
import { KeyHint } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import fieldCss from "../../components/field.module.css";
import { Select } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import toolbarCss from "../../components/toolbar.module.css";
import { ASSET_KINDS, type AssetKind } from "../../uploads/asset-kind.ts";
import { type AssetFilters, areFiltered, VISIBILITIES } from "./asset-filters.ts";

const KIND_NAMES: Record<AssetKind | "all", string> = {
  all: "Any type",
  image: "Images",
  document: "Documents",
  video: "Videos",
  audio: "Audio",
  other: "Other",
};
const VISIBILITY_NAMES = { all: "Any visibility", public: "Public", private: "Private" } as const;

interface ToolbarProps {
  filters: AssetFilters;
  tags: readonly string[];
  search: RefObject<HTMLInputElement | null>;
}

/** Search, filters and view switch of the asset list. They are kept in the page's URL. */
export function AssetsToolbar({ filters, tags, search }: ToolbarProps) {
  const { kind, visibility, tag, view } = filters;
  return (
    <search class={toolbarCss.toolbar}>
      <div class={`${fieldCss.input} ${fieldCss.affixed}`} data-ui="input">
        <span class={fieldCss.affix}>
          <Icon name="search" size={16} />
        </span>
        <input
          ref={search}
          type="search"
          aria-label="Search files"
          placeholder="Search by name or tag"
          maxLength={256}
          value={filters.search}
          onInput={(event) => setQuery({ search: event.currentTarget.value })}
        />
        {filters.search === "" && <KeyHint keys="/" />}
      </div>
      <Select
        label="Type"
        value={kind}
        choices={(["all", ...ASSET_KINDS] as const).map((value) => ({ value, label: KIND_NAMES[value] }))}
        onChange={(value) => setQuery({ kind: value === "all" ? null : value })}
      />
      <Select
        label="Visibility"
        value={visibility}
        choices={VISIBILITIES.map((value) => ({ value, label: VISIBILITY_NAMES[value] }))}
        onChange={(value) => setQuery({ visibility: value === "all" ? null : value })}
      />
      <Select
        label="Tag"
        value={tag}
        choices={[
          { value: "", label: "Any tag" },
          ...[...new Set([...tags, ...(tag === "" ? [] : [tag])])].map((value) => ({ value, label: value })),
        ]}
        onChange={(value) => setQuery({ tag: value })}
      />
      {areFiltered(filters) && (
        <Button
          kind="plain"
          icon="close"
          onClick={() => setQuery({ search: null, kind: null, visibility: null, tag: null })}
        >
          Clear filters
        </Button>
      )}
      <Button
        kind="plain"
        icon={view === "grid" ? "rows" : "grid"}
        aria-label={view === "grid" ? "Table view" : "Grid view"}
        onClick={() => setQuery({ view: view === "grid" ? "table" : null })}
      />
    </search>
  );
}
