import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import css from "./tabs.module.css";

/** One of several views of the same data. */
export interface Tab<Name extends string> {
  name: Name;
  label: string;
}

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly Tab<Name>[];
  /** Name of the current tab. Keep it in the URL. */
  shown: Name;
  onShow: (name: Name) => void;
  children: ComponentChildren;
}

/** Tabs, and the content of the current tab. Arrow keys switch tabs. */
export function Tabs<Name extends string>({ label, tabs, shown, onShow, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const handleKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const index = (tabs.findIndex(({ name }) => name === shown) + step + tabs.length) % tabs.length;
    const next = tabs[index];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onShow(next.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  };
  return (
    <>
      <div class={css.tabs} role="tablist" aria-label={label} ref={list} onKeyDown={handleKey}>
        {tabs.map(({ name, label }) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            class={css.tab}
            role="tab"
            aria-selected={name === shown}
            aria-controls={`${id}-content`}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => onShow(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div id={`${id}-content`} role="tabpanel" aria-labelledby={`${id}-${shown}`}>
        {children}
      </div>
    </>
  );
}
