import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { KeyHint } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import fieldCss from "../../components/field.module.css";
import { Select } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import toolbarCss from "../../components/toolbar.module.css";
import { SEARCH_MAX_LENGTH } from "../../data/service-limits.ts";
import { chooseCompact, isCompact } from "../../session/density-choice.ts";
import { canEdit } from "../../session/session.ts";
import { shareLabel } from "../../shared-reports/sharing.ts";
import { isFiltered, type LinkFilters, SHOWN_STATES, type ShownState } from "./link-filters.ts";
import { knownLabels } from "./link-store.ts";
import css from "./links-toolbar.module.css";

/** Delay after the last keystroke before a search is sent. */
const SEARCH_PAUSE_MS = 220;

const STATE_NAMES: Record<ShownState, string> = {
  current: "Not archived",
  enabled: "Enabled",
  disabled: "Disabled",
  archived: "Archived",
  broken: "Broken destination",
  all: "All",
};

interface ToolbarProps {
  filters: LinkFilters;
  search: RefObject<HTMLInputElement | null>;
}

/** Search and filters of the list. They are kept in the page's URL. */
export function LinksToolbar({ filters, search }: ToolbarProps) {
  const [typed, setTyped] = useState(filters.search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The browser's back button also changes the URL. The field follows, except while the user is typing in it.
  useEffect(() => {
    if (document.activeElement !== search.current) setTyped(filters.search);
  }, [filters.search]);
  const handleInput = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ search: text.trim() }), SEARCH_PAUSE_MS);
  };
  return (
    <search class={toolbarCss.toolbar}>
      <div class={`${fieldCss.input} ${fieldCss.affixed}`} data-ui="input">
        <span class={fieldCss.affix}>
          <Icon name="search" size={16} />
        </span>
        <input
          ref={search}
          type="search"
          aria-label="Search links"
          placeholder="Search by short code, destination or title"
          maxLength={SEARCH_MAX_LENGTH}
          value={typed}
          onInput={(event) => handleInput(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && typed === "" && event.currentTarget.blur()}
        />
        {typed === "" && <KeyHint keys="/" />}
      </div>
      <Combobox
        label="Label"
        placeholder="Any label"
        options={knownLabels.value.map((label) => ({ value: label, label }))}
        values={filters.label === "" ? [] : [filters.label]}
        takesNew
        onChange={([label]) => setQuery({ label })}
      />
      <Select
        label="Status"
        value={filters.state}
        choices={SHOWN_STATES.map((value) => ({ value, label: STATE_NAMES[value] }))}
        onChange={(state) => setQuery({ state: state === "current" ? null : state })}
      />
      {filters.label !== "" && canEdit.value && (
        <Button icon="send" onClick={() => shareLabel(filters.label)}>
          Share report
        </Button>
      )}
      {isFiltered(filters) && (
        <Button
          kind="plain"
          icon="close"
          onClick={() => {
            setTyped("");
            setQuery({ search: null, label: null, state: null });
          }}
        >
          Clear filters
        </Button>
      )}
      <span class={css.density}>
        <Button
          kind="plain"
          icon="rows"
          aria-label="Compact rows"
          aria-pressed={isCompact.value}
          onClick={() => chooseCompact(!isCompact.peek())}
        />
      </span>
    </search>
  );
}
