import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import css from "./dialog.module.css";
import { ToastHost } from "./toasts.tsx";

interface DialogProps {
  title: ComponentChildren;
  /** Called for Escape, the close button and clicks outside the dialog. */
  onClose: () => void;
  /** A wide dialog has room for images. A panel is at the end of the window, a drawer at its start. */
  kind?: "dialog" | "wide" | "panel" | "drawer" | undefined;
  foot?: ComponentChildren;
  /** Controls next to the title. */
  head?: ComponentChildren;
  children: ComponentChildren;
}

const CLASSES = {
  dialog: css.dialog,
  wide: `${css.dialog} ${css.wide}`,
  panel: css.panel,
  drawer: `${css.panel} ${css.start}`,
};

/**
 * Modal dialog, open as long as it is rendered. The browser traps the focus inside. When the dialog closes,
 * focus returns to the element that had it before, or to the screen's heading if that element is gone.
 */
export function Dialog({ title, onClose, kind = "dialog", foot, head, children }: DialogProps) {
  const titleId = useId();
  return (
    <Modal class={CLASSES[kind]} titleId={titleId} onClose={onClose}>
      <div class={css.head}>
        <h2 id={titleId}>{title}</h2>
        {head}
        <Button kind="plain" icon="close" aria-label="Close" onClick={onClose} />
      </div>
      <div class={css.body}>{children}</div>
      <ToastHost />
      {foot && <div class={css.foot}>{foot}</div>}
    </Modal>
  );
}

interface ModalProps extends Pick<DialogProps, "onClose" | "children"> {
  class: string | undefined;
  /** Id of the title, or the accessible name of a dialog without one. */
  titleId?: string;
  label?: string;
}

/** Modal dialog without a title and other parts. See {@link Dialog}. */
export function Modal({ class: className, titleId, label, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
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
      class={className}
      aria-labelledby={titleId}
      aria-label={label}
      onCancel={(event) => {
        // A file input inside the dialog also sends this event, when its file picker is cancelled.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      {children}
    </dialog>
  );
}

/** Moves the focus to the screen's heading. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}
