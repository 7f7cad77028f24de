import { showToast } from "./toast-list.ts";

/** Copies text to the clipboard. If the browser doesn't allow it, shows a message and returns false. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showToast("Your browser doesn't allow copying. Select the text and copy it instead.");
    return false;
  }
}
