import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { joinClasses } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import css from "./menu.module.css";
import { placePopover } from "./placement.ts";

/** Action in a menu. */
export interface MenuItem {
  label: string;
  icon?: IconName | undefined;
  isDanger?: boolean | undefined;
  /** Marks the current choice, in a menu of choices. */
  isChosen?: boolean | undefined;
  onSelect: () => void;
}

/** Attributes of the button that opens a menu. */
export interface MenuTrigger {
  popovertarget: string;
  "aria-haspopup": "menu";
}

interface MenuProps {
  /** Accessible name of the menu. */
  label: string;
  /** Groups of actions, separated by lines. */
  groups: readonly (readonly MenuItem[])[];
  heading?: ComponentChildren;
  children: (trigger: MenuTrigger) => ComponentChildren;
}

/** Button that opens a menu. Arrow keys move between items. Escape or a click outside closes the menu. */
export function Menu({ label, groups, heading, children }: MenuProps) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  /** Renders the items only once the menu was opened, because tables have a rarely used menu in each row. */
  const [wasOpened, setOpened] = useState(false);
  const listItems = () => [...(popover.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];

  const handleToggle = (event: { newState: string }) => {
    if (event.newState === "open") listItems()[0]?.focus();
  };
  const handleOpening = (event: { newState: string }) => {
    if (event.newState === "open") setOpened(true);
    const trigger = document.querySelector<HTMLElement>(`[popovertarget="${id}"]`);
    if (event.newState === "open" && popover.current && trigger) placePopover(popover.current, trigger);
  };
  const handleKey = (event: KeyboardEvent) => {
    const items = listItems();
    const next = findNext(event, items.length, items.indexOf(document.activeElement as HTMLElement));
    if (next === null) return;
    event.preventDefault();
    items[next]?.focus();
  };
  return (
    <>
      {children({ popovertarget: id, "aria-haspopup": "menu" })}
      <div
        id={id}
        ref={popover}
        class={css.popover}
        data-ui="popover"
        popover="auto"
        role="menu"
        aria-label={label}
        onBeforeToggle={handleOpening}
        onToggle={handleToggle}
        onKeyDown={handleKey}
      >
        {wasOpened && heading && (
          <div class={css.heading} role="presentation">
            {heading}
          </div>
        )}
        {(wasOpened ? groups : []).map((items, index) => (
          <>
            {index > 0 && <hr class={css.line} />}
            {items.map(({ label, icon, isDanger, isChosen, onSelect }) => (
              // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a menuitemradio has aria-checked here
              <button
                key={label}
                type="button"
                class={joinClasses(css.item, isDanger && css.danger)}
                role={isChosen === undefined ? "menuitem" : "menuitemradio"}
                aria-checked={isChosen}
                tabIndex={-1}
                onClick={() => {
                  popover.current?.hidePopover();
                  onSelect();
                }}
              >
                {icon && <Icon name={icon} size={17} />}
                <span class="one-line">{label}</span>
                {isChosen && (
                  <span class="push">
                    <Icon name="check" size={16} />
                  </span>
                )}
              </button>
            ))}
          </>
        ))}
      </div>
    </>
  );
}

/** Returns the index of the item that a key moves the focus to, or null for any other key. */
function findNext({ key }: KeyboardEvent, count: number, current: number): number | null {
  if (key === "ArrowDown") return (current + 1) % count;
  if (key === "ArrowUp") return (current - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
