import { useEffect, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { Combobox } from "../../components/combobox.tsx";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";

type Link = Schemas["Link"];

const OPTIONS = 20;
/** Pause after the last key, before a search is sent. */
const SEARCH_PAUSE_MS = 220;

interface ComparePickerProps {
  link: Link;
  /** Link that is compared with, or an empty id. Its name is null until it is read. */
  chosenId: string;
  chosenName: string | null;
}

/** Field for the link to compare with. It is kept in the address. */
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
    <div class="compare-picker">
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

/** Describes a link so that two with the same title can be told apart. */
export function describeLink({ title, short_code }: Link): string {
  return title === null ? `/${short_code}` : `${title} (/${short_code})`;
}

/** Returns a text once it has not changed for a while. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setLater, SEARCH_PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
