import { setQuery } from "../address/address.ts";
import { Button } from "../components/button.tsx";
import { Select } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import css from "./filter-bar.module.css";
import { clearFilters, FILTER_NAMES, hasValues, type ScanFilters, TRAFFIC_CHOICES } from "./scan-filters.ts";
import { DIMENSION_NAMES, nameValue } from "./value-names.ts";

/** Choice of the traffic class, beside the range. */
export function TrafficSelect({ filters: { traffic } }: { filters: ScanFilters }) {
  return (
    <div class={css.traffic}>
      <Select
        label="Traffic"
        value={traffic}
        choices={TRAFFIC_CHOICES.map((value) => ({
          value,
          label: value === "all" ? "All traffic" : nameValue("traffic", value).text,
        }))}
        onChange={(value) => setQuery({ traffic: value === "human" ? null : value })}
      />
    </div>
  );
}

/** Active filters, each with a button that removes it. Empty if there are none. */
export function FilterBar({ filters }: { filters: ScanFilters }) {
  const { values, traffic } = filters;
  if (!hasValues(filters) && traffic === "human") return null;
  const set = FILTER_NAMES.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ name, label: DIMENSION_NAMES[name].one, ...nameValue(name, value) }];
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
