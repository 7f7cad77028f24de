import { signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { dropToast, heard, holdToasts, releaseToasts, runAction, toasts } from "./toast-list.ts";

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
        {toasts.value.map((toast) => (
          <div class="toast" key={toast.id}>
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
