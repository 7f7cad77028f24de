import { signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { dropToast, heard, holdToasts, releaseToasts, runAction, toasts } from "./toast-list.ts";
import css from "./toasts.module.css";

/**
 * Mounted toast hosts: one in the frame of all screens, and one in each open dialog. Only the last host shows
 * messages, because a modal dialog makes everything else inert.
 */
const hosts = signal<readonly object[]>([]);

/** Shows messages if it is the last mounted host. Rendered by the frame and by every dialog. */
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
      <p class="visually-hidden" role="status">
        {heard.value}
      </p>
      <section
        class={css.toasts}
        data-ui="toasts"
        aria-label="Notifications"
        onPointerEnter={holdToasts}
        onPointerLeave={releaseToasts}
        onFocusIn={holdToasts}
        onFocusOut={releaseToasts}
      >
        {toasts.value.map((toast) => (
          <div class={css.toast} data-ui="toast" key={toast.id}>
            <p>{toast.text}</p>
            {toast.action && (
              <Button kind="plain" size="s" onClick={() => runAction(toast)}>
                {toast.action.label}
              </Button>
            )}
            <Button
              kind="plain"
              size="s"
              icon="close"
              aria-label="Dismiss"
              onClick={() => dropToast(toast.id)}
            />
          </div>
        ))}
      </section>
    </>
  );
}
