import { setQuery } from "../address/address.ts";
import { Combobox } from "../components/combobox.tsx";
import { api, callApi } from "../data/calls.ts";
import { useResource } from "../data/resources.ts";
import css from "./filter-bar.module.css";

/** Number of links whose labels are offered. Other labels can be typed. */
const LINKS_READ = 100;

/** Choice of a label, beside the range: counts the scans of the links that have it, such as a campaign's. */
export function LabelFilter({ label }: { label: string | undefined }) {
  const known = useResource("labels", async () => {
    const { data } = await callApi(api.GET("/v1/links", { params: { query: { limit: LINKS_READ } } }));
    return [...new Set(data.flatMap(({ labels }) => labels))].sort((a, b) => a.localeCompare(b));
  });
  return (
    <div class={`${css.choices} ${css.label}`}>
      <Combobox
        label="Label"
        placeholder="All labels"
        options={(known.value ?? []).map((name) => ({ value: name, label: name }))}
        values={label === undefined ? [] : [label]}
        takesNew
        onChange={([chosen]) => setQuery({ label: chosen })}
      />
    </div>
  );
}
