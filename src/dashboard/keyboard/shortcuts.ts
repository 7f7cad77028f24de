import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type PendingKey, pressKey, type Shortcut } from "./key-sequence.ts";

/** Active shortcuts, in the order in which they were registered. */
export const shortcuts = signal<readonly Shortcut[]>([]);

/** Registers shortcuts while a component is mounted. They call the functions of the latest render. */
export function useShortcuts(offered: readonly Shortcut[]): void {
  const current = useRef(offered);
  current.current = offered;
  const names = offered.map(({ keys }) => keys).join();
  useEffect(() => {
    const added = offered.map((shortcut, index) => ({
      ...shortcut,
      run: () => current.current[index]?.run(),
    }));
    shortcuts.value = [...shortcuts.peek(), ...added];
    return () => {
      shortcuts.value = shortcuts.peek().filter((shortcut) => !added.includes(shortcut));
    };
  }, [names]);
}

/** Runs shortcuts when keys are pressed. Call it once. */
export function startShortcuts(): void {
  let pending: PendingKey | null = null;
  addEventListener("keydown", (event) => {
    if (isForControl(event)) return;
    const step = pressKey(shortcuts.peek(), pending, event.key, event.timeStamp);
    pending = step.pending;
    if (step.shortcut === null) return;
    event.preventDefault();
    step.shortcut.run();
  });
}

/** Name of the key for shortcuts that also work in fields: the Command key on a Mac. */
export const COMMAND_KEY = /Mac|iP/.test(navigator.platform) ? "⌘" : "Ctrl";

/** Calls a function for Ctrl+K or ⌘K, also in fields, except while a dialog is open. Returns a function that ends this. */
export function onPaletteKey(open: () => void): () => void {
  const handle = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== "k") return;
    if (document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    open();
  };
  addEventListener("keydown", handle);
  return () => removeEventListener("keydown", handle);
}

/** Returns true if a key press is meant for a field, an open dialog or the browser. */
function isForControl({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true;
  const isField =
    target instanceof Element &&
    target.closest("input:not([type=checkbox]), textarea, select, [role=combobox]");
  return Boolean(isField) || document.querySelector("dialog[open]") !== null;
}
