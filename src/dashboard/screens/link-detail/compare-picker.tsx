import { useEffect, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { Combobox } from "../../components/combobox.tsx";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { type ShownResource, useResource } from "../../data/resources.ts";
import { readParameter } from "../../reports/report-state.ts";

type Link = Schemas["Link"];

const OPTIONS = 20;
/** Pause after the last key, before a search is sent. */
const SEARCH_PAUSE_MS = 220;

/** Reads the link that is compared with. */
export function useComparedLink(id: string): ShownResource<Link> {
  return useResource(`link ${id}`, async () => {
    const { data } = await callApi(api.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } }));
    return data;
  });
}

/** Field for the link to compare with. It is kept in the address. */
export function ComparePicker({ link }: { link: Link }) {
  const chosenId = readParameter("compare");
  const [typed, setTyped] = useState("");
  const search = useLater(typed.trim());
  const found = useResource(`compare ${search}`, async () => {
    const query = { limit: OPTIONS, ...(search === "" ? {} : { search }) };
    const { data } = await callApi(api.GET("/v1/links", { params: { query } }));
    return data;
  });
  return (
    <div class="compare-picker">
      {chosenId === "" ? (
        <Picker link={link} chosen={null} found={found.value ?? []} onType={setTyped} />
      ) : (
        <ChosenPicker
          key={chosenId}
          link={link}
          chosenId={chosenId}
          found={found.value ?? []}
          onType={setTyped}
        />
      )}
    </div>
  );
}

interface PickerProps {
  link: Link;
  chosen: { value: string; label: string } | null;
  found: readonly Link[];
  onType: (typed: string) => void;
}

function ChosenPicker({ chosenId, ...rest }: Omit<PickerProps, "chosen"> & { chosenId: string }) {
  const { value, fault } = useComparedLink(chosenId);
  const label = value ? describeLink(value) : fault === null ? "…" : "A link that does not exist";
  return <Picker {...rest} chosen={{ value: chosenId, label }} />;
}

function Picker({ link, chosen, found, onType }: PickerProps) {
  const options = found
    .filter(({ id }) => id !== link.id && id !== chosen?.value)
    .map((found) => ({ value: found.id, label: describeLink(found) }));
  return (
    <Combobox
      label="Compare with"
      placeholder="Another link"
      options={chosen === null ? options : [chosen, ...options]}
      values={chosen === null ? [] : [chosen.value]}
      onType={onType}
      onChange={([compare]) => setQuery({ compare })}
    />
  );
}

function describeLink({ title, short_code }: Link): string {
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
