import { useEffect, useRef } from "preact/hooks";
import { announce } from "../../components/toast-list.ts";
import { canEdit } from "../../session/session.ts";

/** Commands of the editor that have keys. */
interface EditorCommands {
  save: () => void;
  undo: () => void;
  redo: () => void;
}

/**
 * Saves, undoes and redoes by keys, wherever the focus is: undoing a move can take it. They stand in for those of the
 * browser, which know one field only.
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
      else if (key === "y" || key === "z") step(redo, "Made again");
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** Makes a step, says so, and keeps the focus where it is. */
function step(run: () => void, text: string): void {
  const focused = document.activeElement as HTMLElement | null;
  run();
  announce(text);
  requestAnimationFrame(() => {
    if (focused?.isConnected && document.activeElement === document.body)
      focused.focus({ preventScroll: true });
  });
}
