import { useEffect, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
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
  /** Id of the link to compare with, or an empty string. Its name is null until it is loaded. */
  chosenId: string;
  chosenName: string | null;
}

/** Combobox for the link to compare with. The choice is kept in the page's URL. */
export function ComparePicker({ link, chosenId, chosenName }: ComparePickerProps) {
  const [typed, setTyped] = useState("");
  const search = useLater(typed.trim());
  const found = useResource(`compare ${search}`, async () => {
    const query = { limit: OPTIONS, ...(search !== "" && { search }) };
    const { data } = await callApi(api.GET("/v1/links", { params: { query } }));
    return data;
  });
  const options = (found.value ?? [])
    .filter(({ id }) => id !== link.id && id !== chosenId)
    .map((option) => ({ value: option.id, label: describeLink(option) }));
  const chosen = { value: chosenId, label: chosenName ?? "…" };
  return (
    <div class={css.picker}>
      <Combobox
        label="Compare with"
        placeholder="Compare with another link"
        options={chosenId === "" ? options : [chosen, ...options]}
        values={chosenId === "" ? [] : [chosenId]}
        onType={setTyped}
        onChange={([compare]) => setQuery({ compare })}
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
