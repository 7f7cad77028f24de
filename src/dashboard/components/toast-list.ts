import { signal } from "@preact/signals";

/** Messages that pass: what is shown, and for how long. */

/** Message that passes. */
export interface Toast {
  id: number;
  text: string;
  action: ToastAction | null;
  onGone: (() => void) | null;
  timer: ReturnType<typeof setTimeout>;
}

/** Command of a message, such as undoing what it tells. */
export interface ToastAction {
  label: string;
  run: () => void;
}

/** Time that a message is shown: long enough to read it and to reach its button. */
export const TOAST_MS = 8_000;
const TOASTS_MAX = 3;

/** Messages that are shown, the oldest first. */
export const toasts = signal<readonly Toast[]>([]);
/** Text that screen readers say. */
export const heard = signal("");
let lastId = 0;

/** Says something to screen readers only, politely. */
export function announce(text: string): void {
  // The same text again is a change that screen readers hear.
  heard.value = heard.peek() === text ? `${text}\u00a0` : text;
}

/**
 * Shows a message at the bottom, and says it to screen readers. `onGone` is called when it goes away without its command:
 * its time is over, somebody dismissed it, or newer ones took its place.
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

/** Takes a message away. */
export function dropToast(id: number): void {
  takeToast(id)?.onGone?.();
}

/** Takes a message away and runs its command. */
export function runAction({ id }: Toast): void {
  takeToast(id)?.action?.run();
}

/** Takes a message out of the list, and returns it if it was there. */
function takeToast(id: number): Toast | undefined {
  const taken = toasts.peek().find((toast) => toast.id === id);
  clearTimeout(taken?.timer);
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
  return taken;
}

/** Keeps messages while the pointer or the focus is on them. */
export function holdToasts(): void {
  for (const { timer } of toasts.peek()) clearTimeout(timer);
}

/** Lets messages pass again after half of their time. */
export function releaseToasts(): void {
  toasts.value = toasts
    .peek()
    .map((toast) => ({ ...toast, timer: setTimeout(dropToast, TOAST_MS / 2, toast.id) }));
}
