import { useEffect, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { OTHER_KINDS } from "../../components/chart/chart-scale.ts";
import { Combobox } from "../../components/combobox.tsx";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import css from "./compare-picker.module.css";

type Link = Schemas["Link"];

const OPTIONS = 20;
/** Delay after the last keystroke before a search is sent. */
const SEARCH_PAUSE_MS = 220;

interface ComparePickerProps {
  link: Link;
  /** Ids and names of the links to compare with. */
  chosen: readonly { value: string; label: string }[];
}

/** Returns the ids of other links in the query, each once. */
export function readComparedIds(parameter: string, ownId: string): string[] {
  const ids = parameter.split(",").filter((id) => id !== "" && id !== ownId);
  return [...new Set(ids)].slice(0, OTHER_KINDS.length);
}

/** Combobox for the links to compare with. The choice is kept in the page's URL. */
export function ComparePicker({ link, chosen }: ComparePickerProps) {
  const [typed, setTyped] = useState("");
  const search = useLater(typed.trim());
  const readFound = async () => {
    const query = { limit: OPTIONS, ...(search !== "" && { search }) };
    const { data } = await callApi(api.GET("/v1/links", { params: { query } }));
    return data;
  };
  // Keeps the former options while a search is loading. Otherwise, Enter at that moment would choose nothing.
  const found = useResource(`compare ${search}`, readFound, { isKept: true });
  const options = (found.value ?? [])
    .filter(({ id }) => id !== link.id && chosen.every(({ value }) => value !== id))
    .map((option) => ({ value: option.id, label: describeLink(option) }));
  return (
    <div class={css.picker}>
      <Combobox
        label="Compare with"
        placeholder="Compare with other links"
        options={[...chosen, ...options]}
        values={chosen.map(({ value }) => value)}
        max={OTHER_KINDS.length}
        onType={setTyped}
        onChange={(ids) => setQuery({ compare: ids.join(",") })}
      />
    </div>
  );
}

/** Returns a label that is unique even if two links have the same title. */
export function describeLink({ title, short_code }: Link): string {
  return title === null ? `/${short_code}` : `${title} (/${short_code})`;
}

/** Debounces a text: returns it once it hasn't changed for {@link SEARCH_PAUSE_MS}. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setLater, SEARCH_PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
