import { SOURCES } from "../../scans/source.ts";
import { setQuery } from "../address/address.ts";
import { Button } from "../components/button.tsx";
import { Select } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import css from "./filter-bar.module.css";
import { clearFilters, FILTER_NAMES, isFiltered, type ScanFilters, TRAFFIC_CHOICES } from "./scan-filters.ts";
import { DIMENSION_NAMES, nameValue } from "./value-names.ts";

/** Filters beside the range: the traffic class and the source. */
export function RangeFilters({ filters: { traffic, values } }: { filters: ScanFilters }) {
  return (
    <div class={css.choices}>
      <Select
        label="Traffic"
        value={traffic}
        choices={TRAFFIC_CHOICES.map((value) => ({
          value,
          label: value === "all" ? "All traffic" : nameValue("traffic", value).text,
        }))}
        onChange={(value) => setQuery({ traffic: value === "human" ? null : value })}
      />
      <Select
        label="Source"
        value={values.source ?? ""}
        choices={["", ...SOURCES].map((value) => ({
          value,
          label: value === "" ? "All sources" : nameValue("source", value).text,
        }))}
        onChange={(source) => setQuery({ source })}
      />
    </div>
  );
}

/**
 * Active filters that aren't shown beside the range, each with a button that removes it. Empty without any filter.
 */
export function FilterBar({ filters }: { filters: ScanFilters }) {
  const { values } = filters;
  if (!isFiltered(filters)) return null;
  const set = FILTER_NAMES.flatMap((name) => {
    const value = values[name];
    return value === undefined || name === "source"
      ? []
      : [{ name, label: DIMENSION_NAMES[name].one, ...nameValue(name, value) }];
  });
  return (
    <div class={css.bar}>
      {set.map(({ name, label, text }) => (
        <button
          key={name}
          type="button"
          class={css.chip}
          aria-label={`Remove filter: ${label} ${text}`}
          onClick={() => setQuery({ [name]: null })}
        >
          <span class="muted">{label}</span> <span class="one-line">{text}</span>
          <Icon name="close" size={12} />
        </button>
      ))}
      <Button kind="plain" size="s" onClick={() => setQuery(clearFilters())}>
        Clear filters
      </Button>
    </div>
  );
}
