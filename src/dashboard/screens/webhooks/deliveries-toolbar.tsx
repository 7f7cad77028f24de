import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { DayField } from "../../components/day-field.tsx";
import { Select } from "../../components/field.tsx";
import toolbarCss from "../../components/toolbar.module.css";
import { type DeliveryFilters, isFiltered, SHOWN_STATES, type ShownState } from "./delivery-filters.ts";
import { STATUS_LABELS } from "./delivery-health.ts";
import { EVENT_TYPES } from "./event-catalog.ts";

const getStateName = (state: ShownState) => (state === "all" ? "Any status" : STATUS_LABELS[state].word);

/** Filters of the deliveries. They are kept in the page's URL. */
export function DeliveriesToolbar({ filters }: { filters: DeliveryFilters }) {
  const { state, event, from, to } = filters;
  return (
    <search class={toolbarCss.toolbar}>
      <Select
        label="Status"
        value={state}
        choices={SHOWN_STATES.map((value) => ({ value, label: getStateName(value) }))}
        onChange={(value) => setQuery({ state: value === "all" ? null : value })}
      />
      <Select
        label="Event"
        value={event}
        choices={[
          { value: "all", label: "Any event" } as const,
          ...EVENT_TYPES.map((value) => ({ value, label: value })),
        ]}
        onChange={(value) => setQuery({ event: value === "all" ? null : value })}
      />
      <DayField label="From" value={from} onChange={(day) => setQuery({ from: day })} />
      <DayField label="To" value={to} onChange={(day) => setQuery({ to: day })} />
      {isFiltered(filters) && (
        <Button
          kind="plain"
          icon="close"
          onClick={() => setQuery({ state: null, event: null, from: null, to: null })}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}
