import { useEffect } from "preact/hooks";
import { canEdit } from "../../session/session.ts";
import { findAddress } from "./paste-address.ts";

/** Calls `onPaste` with a URL that is pasted outside of any field, while no dialog is open. */
export function usePastedAddress(onPaste: (address: string) => void): void {
  useEffect(() => {
    const handle = (event: ClipboardEvent) => {
      const isField = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (isField || !canEdit.peek() || document.querySelector("dialog[open]") !== null) return;
      const address = findAddress(event.clipboardData?.getData("text/plain") ?? "");
      if (address === null) return;
      event.preventDefault();
      onPaste(address);
    };
    document.addEventListener("paste", handle);
    return () => document.removeEventListener("paste", handle);
  }, []);
}
