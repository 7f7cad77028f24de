import { findNetwork, NETWORKS } from "../../../bio/networks.ts";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { TextField } from "../../components/field.tsx";
import { SortableList } from "../../components/sortable-list.tsx";
import { showToast } from "../../components/toast-list.ts";
import { SOCIALS_MAX } from "../../data/service-limits.ts";
import { canEdit } from "../../session/session.ts";
import { createKey } from "./block-list.tsx";
import { describeProfile } from "./page-address.ts";
import type { Social } from "./page-draft.ts";
import css from "./social-list.module.css";
import type { PageForm } from "./use-page-form.ts";

const OPTIONS = Object.entries(NETWORKS)
  .map(([value, { name }]) => ({ value, label: name }))
  .sort((a, b) => a.label.localeCompare(b.label));

/** Sortable list of social profiles, which the page shows as icons. */
export function SocialList({ form }: { form: PageForm }) {
  const { draft, faults, edit } = form;
  const { socials } = draft;
  const setSocials = (field: string, change: (socials: readonly Social[]) => readonly Social[]) =>
    edit(field, (before) => ({ ...before, socials: change(before.socials) }));
  const set = (key: string, field: "network" | "url", value: string) =>
    setSocials(`${key}.${field}`, (before) =>
      before.map((other) => (other.key === key ? { ...other, [field]: value } : other)),
    );
  const add = () => {
    setSocials("", (before) => [...before, { key: createKey(), network: "", url: "" }]);
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>("[data-part=socials] li:last-child [role=combobox]")?.focus(),
    );
  };
  const remove = ({ key, network }: Social) => {
    setSocials("", (before) => before.filter((other) => other.key !== key));
    showToast(`${getName(network)} removed`, { label: "Undo", run: form.undo });
    requestAnimationFrame(() => document.getElementById("socials-heading")?.focus());
  };
  return (
    <section class="stack" data-part="socials" aria-labelledby="socials-heading">
      <h2 id="socials-heading" tabIndex={-1}>
        Social profiles
      </h2>
      <SortableList
        label="Social profiles"
        items={socials}
        getKey={({ key }) => key}
        getName={({ network }) => getName(network)}
        isReadOnly={!canEdit.value}
        onChange={(items) => setSocials("", () => items)}
      >
        {(social, _, handle) => {
          const { key, network, url } = social;
          return (
            <div class={css.social}>
              {handle}
              <span class={css.icon} aria-hidden="true">
                <NetworkIcon network={network} />
              </span>
              <div class={css.fields}>
                <Combobox
                  label="Network"
                  options={OPTIONS}
                  values={network === "" ? [] : [network]}
                  takesNew
                  placeholder="Instagram"
                  error={faults[`${key}.network`]}
                  onChange={([value = ""]) => set(key, "network", value)}
                />
                <TextField
                  label="Profile"
                  inputMode="url"
                  autocomplete="off"
                  autocapitalize="none"
                  spellcheck={false}
                  placeholder={describeProfile(network)}
                  value={url}
                  error={faults[`${key}.url`]}
                  onInput={(value) => set(key, "url", value)}
                />
              </div>
              {canEdit.value && (
                <Button
                  kind="plain"
                  size="s"
                  icon="close"
                  aria-label={`Remove ${getName(network)}`}
                  onClick={() => remove(social)}
                />
              )}
            </div>
          );
        }}
      </SortableList>
      {canEdit.value && (
        <div class="row">
          <Button icon="plus" isDisabled={socials.length >= SOCIALS_MAX} onClick={add}>
            Add profile
          </Button>
        </div>
      )}
    </section>
  );
}

function getName(network: string): string {
  return network === "" ? "the profile" : findNetwork(network).name;
}

function NetworkIcon({ network }: { network: string }) {
  return (
    <svg width={18} height={18} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={findNetwork(network).icon} />
    </svg>
  );
}
