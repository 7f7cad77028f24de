import { signal } from "@preact/signals";

/** Keeps the list of temporary messages (toasts) and their timers. */

export interface Toast {
  id: number;
  text: string;
  action: ToastAction | null;
  onGone: (() => void) | null;
  timer: ReturnType<typeof setTimeout>;
}

/** Button of a message, for example to undo the reported action. */
export interface ToastAction {
  label: string;
  run: () => void;
}

/** Time for which a message is shown. Long enough to read it and reach its button. */
export const TOAST_MS = 8_000;
const TOASTS_MAX = 3;

/** Visible messages, oldest first. */
export const toasts = signal<readonly Toast[]>([]);
/** Text announced by screen readers. */
export const heard = signal("");
let lastId = 0;

/** Announces text to screen readers only, in a polite live region. */
export function announce(text: string): void {
  // Adds a space to a repeated text, because screen readers only announce changes.
  heard.value = heard.peek() === text ? `${text}\u00a0` : text;
}

/**
 * Shows a message at the bottom and announces it to screen readers. `onGone` is called when the message
 * disappears without its action being run: when its time is over, when the user dismisses it, or when newer
 * messages replace it.
 */
export function showToast(
  text: string,
  action: ToastAction | null = null,
  onGone: (() => void) | null = null,
): void {
  const id = ++lastId;
  const displaced = toasts.peek().slice(0, 1 - TOASTS_MAX);
  const timer = setTimeout(dropToast, TOAST_MS, id);
  toasts.value = [...toasts.peek(), { id, text, action, onGone, timer }];
  announce(text);
  for (const toast of displaced) dropToast(toast.id);
}

/** Removes a message and calls its `onGone`. */
export function dropToast(id: number): void {
  takeToast(id)?.onGone?.();
}

/** Removes a message and runs its action. */
export function runAction({ id }: Toast): void {
  takeToast(id)?.action?.run();
}

/** Removes a message from the list, and returns it if it was still there. */
function takeToast(id: number): Toast | undefined {
  const taken = toasts.peek().find((toast) => toast.id === id);
  clearTimeout(taken?.timer);
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
  return taken;
}

/** Keeps all messages visible while the pointer or the focus is on them. */
export function holdToasts(): void {
  for (const { timer } of toasts.peek()) clearTimeout(timer);
}

/** Restarts the timers of all messages with half the time. */
export function releaseToasts(): void {
  // The pointer and the focus may leave one after the other, so timers that already run are cleared.
  holdToasts();
  toasts.value = toasts
    .peek()
    .map((toast) => ({ ...toast, timer: setTimeout(dropToast, TOAST_MS / 2, toast.id) }));
}
