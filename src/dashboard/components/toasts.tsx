import { signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";

/** Message that passes. */
interface Toast {
  id: number;
  text: string;
  action: ToastAction | null;
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

const toasts = signal<readonly Toast[]>([]);
const heard = signal("");
let lastId = 0;

/** Says something to screen readers only, politely. */
export function announce(text: string): void {
  // The same text again is a change that screen readers hear.
  heard.value = heard.peek() === text ? `${text}\u00a0` : text;
}

/** Shows a message at the bottom, and says it to screen readers. */
export function showToast(text: string, action: ToastAction | null = null): void {
  const id = ++lastId;
  const timer = setTimeout(dropToast, TOAST_MS, id);
  const kept = toasts.peek().slice(1 - TOASTS_MAX);
  for (const { timer } of toasts.peek().filter((toast) => !kept.includes(toast))) clearTimeout(timer);
  toasts.value = [...kept, { id, text, action, timer }];
  announce(text);
}

function dropToast(id: number): void {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
}

/** Keeps messages while the pointer or the focus is on them. */
function holdToasts(): void {
  for (const { timer } of toasts.peek()) clearTimeout(timer);
}

function releaseToasts(): void {
  toasts.value = toasts
    .peek()
    .map((toast) => ({ ...toast, timer: setTimeout(dropToast, TOAST_MS / 2, toast.id) }));
}

/** Places of messages: the frame, and each open dialog. A modal dialog makes everything else inert, so the last one shows them. */
const hosts = signal<readonly object[]>([]);

/** Place of messages. The frame and every dialog render one. */
export function ToastHost() {
  const [host] = useState(() => ({}));
  useLayoutEffect(() => {
    hosts.value = [...hosts.peek(), host];
    return () => {
      hosts.value = hosts.peek().filter((other) => other !== host);
    };
  }, []);
  if (hosts.value.at(-1) !== host) return null;
  return (
    <>
      <p class="only-heard" role="status">
        {heard.value}
      </p>
      <section
        class="toasts"
        aria-label="Messages"
        onPointerEnter={holdToasts}
        onPointerLeave={releaseToasts}
        onFocusIn={holdToasts}
        onFocusOut={releaseToasts}
      >
        {toasts.value.map(({ id, text, action }) => (
          <div class="toast" key={id}>
            <p>{text}</p>
            {action && (
              <Button
                kind="plain"
                size="s"
                onClick={() => {
                  dropToast(id);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
            <Button kind="plain" size="s" icon="close" aria-label="Dismiss" onClick={() => dropToast(id)} />
          </div>
        ))}
      </section>
    </>
  );
}
