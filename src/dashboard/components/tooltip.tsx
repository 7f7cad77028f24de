import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { placePopover } from "./placement.ts";
import css from "./tooltip.module.css";

/** Tooltip shown while a control is hovered or focused. It never replaces the control's accessible name. */
export function Tooltip({ text, children }: { text: string; children: ComponentChildren }) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const popover = useRef<HTMLSpanElement>(null);
  const show = () => {
    if (!popover.current || !anchor.current || popover.current.matches(":popover-open")) return;
    popover.current.showPopover();
    placePopover(popover.current, anchor.current);
  };
  const hide = () => popover.current?.matches(":popover-open") && popover.current.hidePopover();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the control inside is the interactive element
    <span
      ref={anchor}
      class="row"
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && show()}
      onPointerLeave={hide}
      onFocusIn={(event) =>
        event.target instanceof Element && event.target.matches(":focus-visible") && show()
      }
      onFocusOut={hide}
      onKeyDown={({ key }) => key === "Escape" && hide()}
    >
      {children}
      <span ref={popover} id={id} class={css.tooltip} popover="manual" role="tooltip">
        {text}
      </span>
    </span>
  );
}
