import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import { ToastHost } from "./toasts.tsx";

interface DialogProps {
  title: ComponentChildren;
  /** Hears of Escape, the close button and a click beside the dialog. */
  onClose: () => void;
  /** A wide dialog has room for pictures. A panel stands at the end of the window, a drawer at its start. */
  kind?: "dialog" | "wide" | "panel" | "drawer" | undefined;
  /** Buttons at the bottom. */
  foot?: ComponentChildren;
  /** Controls beside the title. */
  head?: ComponentChildren;
  children: ComponentChildren;
}

const CLASSES = { dialog: "dialog", wide: "dialog wide", panel: "panel", drawer: "panel start" } as const;

/**
 * Modal dialog. It is open as long as it is rendered. The browser keeps the focus inside; afterwards, focus goes back to
 * where it was, or to the heading of the screen if that is gone.
 */
export function Dialog({ title, onClose, kind = "dialog", foot, head, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    const element = dialog.current;
    return () => {
      element?.close();
      if (opener === null || opener === document.body || !opener.isConnected) focusHeading();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={CLASSES[kind]}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A file picker inside sends this event, too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="overlay-head">
        <h2 id={titleId}>{title}</h2>
        {head}
        <Button kind="plain" icon="close" aria-label="Close" onClick={onClose} />
      </div>
      <div class="overlay-body">{children}</div>
      <ToastHost />
      {foot && <div class="overlay-foot">{foot}</div>}
    </dialog>
  );
}

/** Moves the focus to the heading of the screen. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}
