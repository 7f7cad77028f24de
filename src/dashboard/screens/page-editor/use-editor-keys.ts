import { useEffect, useRef } from "preact/hooks";
import { announce } from "../../components/toast-list.ts";
import { canEdit } from "../../session/session.ts";

/** Editor actions with keyboard shortcuts. */
interface EditorCommands {
  save: () => void;
  undo: () => void;
  redo: () => void;
}

/**
 * Adds keyboard shortcuts to save, undo and redo. They work wherever the focus is, because undoing a move can
 * remove the focused element. They replace the browser's own undo, which only covers a single field.
 */
export function useEditorKeys(commands: EditorCommands): void {
  const current = useRef(commands);
  current.current = commands;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || !canEdit.peek()) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const { save, undo, redo } = current.current;
      const key = event.key.toLowerCase();
      if (key === "s") save();
      else if (key === "z" && !event.shiftKey) step(undo, "Undone");
      else if (key === "y" || key === "z") step(redo, "Redone");
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** Undoes or redoes a step, announces it to screen readers, and restores the focus if the page lost it. */
function step(run: () => void, text: string): void {
  const focused = document.activeElement as HTMLElement | null;
  run();
  announce(text);
  requestAnimationFrame(() => {
    if (focused?.isConnected && document.activeElement === document.body)
      focused.focus({ preventScroll: true });
  });
}
