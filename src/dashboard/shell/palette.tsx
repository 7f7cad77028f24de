import { useEffect, useId, useState } from "preact/hooks";
import { formatCount } from "../../core/format-count.ts";
import { navigate } from "../address/address.ts";
import { KeyHint } from "../components/badge.tsx";
import { Modal } from "../components/dialog.tsx";
import { Icon } from "../components/icon.tsx";
import menuCss from "../components/menu.module.css";
import { FaultNotice } from "../components/states.tsx";
import { api, callApi, type Schemas } from "../data/calls.ts";
import { shortenAddress } from "../data/link-state.ts";
import { SEARCH_MAX_LENGTH } from "../data/service-limits.ts";
import { shortcuts } from "../keyboard/shortcuts.ts";
import { SCREENS, type Screen } from "../screens.ts";
import { canEdit, chooseTheme, person, signOut, switchWorkspace, workspace } from "../session/session.ts";
import { THEMES } from "../session/theme-choice.ts";
import css from "./palette.module.css";
import { GROUPS, matchEntries, type PaletteEntry } from "./palette-entries.ts";
import { DOCS_PATH, THEME_ICONS, THEME_NAMES } from "./person-menu.tsx";

type Link = Schemas["Link"];

/** Delay after the last keystroke before links are searched. */
const SEARCH_PAUSE_MS = 180;
const LINKS_SHOWN = 8;

/** Command palette: finds links, screens and actions by what is typed. The focus stays in the input. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const search = useFoundLinks(typed.trim());
  const entries = [...matchEntries(listCommands(typed === ""), typed), ...search.links.map(toEntry)];
  const index = Math.min(active, entries.length - 1);
  useEffect(() => {
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [index]);
  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    // Runs after the palette has returned the focus, which the action may move.
    setTimeout(entry.run);
  };
  const handleKey = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === "ArrowDown") setActive((index + 1) % Math.max(1, entries.length));
    else if (key === "ArrowUp") setActive((index - 1 + entries.length) % Math.max(1, entries.length));
    else if (key === "Enter") run(entries[index]);
    else if (key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) onClose();
    else return;
    event.preventDefault();
  };
  const isEmpty = entries.length === 0 && search.fault === null;
  return (
    <Modal class={css.palette} label="Search and commands" onClose={onClose}>
      <div class={css.field}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search links, screens and actions"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={entries[index] && `${listId}-${index}`}
          autocomplete="off"
          spellcheck={false}
          maxLength={SEARCH_MAX_LENGTH}
          placeholder="Search links, screens and actions"
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={handleKey}
        />
        <KeyHint keys="Esc" />
      </div>
      <div class={css.list} id={listId} role="listbox" aria-label="Results" aria-busy={search.isLoading}>
        {GROUPS.map((group) => (
          <Group key={group} name={group} id={listId} entries={entries} active={index} onChoose={run} />
        ))}
      </div>
      <p class={isEmpty ? css.none : "visually-hidden"} role="status">
        {search.isLoading ? "Searching…" : isEmpty ? "No matches" : formatCount(entries.length, "result")}
      </p>
      {search.fault !== null && <FaultNotice fault={search.fault} />}
    </Modal>
  );
}

interface GroupProps {
  name: PaletteEntry["group"];
  /** Id of the list, with which the ids of its options begin. */
  id: string;
  entries: readonly PaletteEntry[];
  active: number;
  onChoose: (entry: PaletteEntry) => void;
}

/** Entries of one group below its heading. */
function Group({ name, id, entries, active, onChoose }: GroupProps) {
  if (!entries.some(({ group }) => group === name)) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, and these are options
    <div role="group" aria-labelledby={`${id}-${name}`}>
      <div class={menuCss.heading} id={`${id}-${name}`} role="presentation">
        {name}
      </div>
      {entries.map(
        (entry, index) =>
          entry.group === name && (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the focus and the keys stay in the input
            <div
              key={entry.key}
              id={`${id}-${index}`}
              class={menuCss.item}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(entry)}
            >
              <Icon name={entry.icon} size={17} />
              <span class="one-line">{entry.label}</span>
              {entry.detail && <span class={`one-line small muted ${css.detail}`}>{entry.detail}</span>}
              {entry.keys && (
                <span class="row push" aria-hidden="true">
                  <KeyHint keys={entry.keys} />
                </span>
              )}
            </div>
          ),
      )}
    </div>
  );
}

/**
 * Lists the screens, the shortcuts of the current screen, and actions of the account. `isShort` leaves out the sections
 * of a screen.
 */
function listCommands(isShort: boolean): PaletteEntry[] {
  const isListed = ({ path, entry }: Screen) => entry !== undefined || !(isShort || path.includes(":"));
  const screens = SCREENS.filter(isListed).map(({ path, title, entry }) => ({
    key: path,
    group: "Screens" as const,
    label: title,
    icon: entry?.icon ?? ("settings" as const),
    keys: entry && `g ${entry.key}`,
    run: () => navigate(path),
  }));
  const action = (
    label: string,
    icon: PaletteEntry["icon"],
    run: () => void,
    keys?: string,
  ): PaletteEntry => ({
    key: label,
    group: "Actions",
    label,
    icon,
    keys,
    run,
  });
  const here = shortcuts.value
    .filter(({ keys }) => !keys.startsWith("g "))
    .map(({ keys, label, run }) => action(label, keys === "?" ? "keyboard" : "bolt", run, keys));
  const others = [
    ...(canEdit.value
      ? [
          action("Create link", "plus", () => navigate("/links?link=new")),
          action("Create bio page", "page", () => navigate("/pages?new=creator")),
          action("Import links", "upload", () => navigate("/import")),
        ]
      : []),
    action("Export links", "download", () => navigate("/import")),
    action("Documentation", "external", () => void window.open(DOCS_PATH, "_blank", "noopener")),
    ...(person.value?.workspaces ?? [])
      .filter(({ slug }) => slug !== workspace.value?.slug)
      .map(({ slug, name }) => action(`Switch to ${name}`, "swap", () => void switchWorkspace(slug))),
    ...THEMES.map((theme) => action(THEME_NAMES[theme], THEME_ICONS[theme], () => chooseTheme(theme))),
    action("Sign out", "sign-out", () => void signOut()),
  ];
  return [...screens, ...here, ...others.filter(({ key }) => !here.some((entry) => entry.key === key))];
}

function toEntry({ id, title, short_code, destination }: Link): PaletteEntry {
  const to = shortenAddress(destination);
  return {
    key: id,
    group: "Links",
    label: title ?? `/${short_code}`,
    icon: "link",
    detail: title === null ? to : `/${short_code} → ${to}`,
    run: () => navigate(`/links/${id}`),
  };
}

interface FoundLinks {
  links: readonly Link[];
  fault: unknown;
  isLoading: boolean;
}

const NONE: FoundLinks = { links: [], fault: null, isLoading: false };

/** Searches links after a pause in typing. Aborts the search of the text before. */
function useFoundLinks(search: string): FoundLinks {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    if (search === "") return setFound(NONE);
    setFound(({ links }) => ({ links, fault: null, isLoading: true }));
    const controller = new AbortController();
    const { signal } = controller;
    const show = (next: FoundLinks) => !signal.aborted && setFound(next);
    const timer = setTimeout(() => {
      const query = { search, limit: LINKS_SHOWN, archived: "all" } as const;
      callApi(api.GET("/v1/links", { params: { query }, signal })).then(
        ({ data }) => show({ ...NONE, links: data }),
        (fault: unknown) => show({ ...NONE, fault }),
      );
    }, SEARCH_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [search]);
  return found;
}
