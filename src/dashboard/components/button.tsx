import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

/** Names of classes that are there, in one text. */
export function joinClasses(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, "icon" | "size" | "disabled" | "children"> {
  /** Rank among the buttons beside it. One of them at most is primary. */
  kind?: "normal" | "primary" | "danger" | "plain" | undefined;
  size?: "m" | "s" | undefined;
  icon?: IconName | undefined;
  /** Keeps the button from acting. It stays focusable, so that nobody loses the place. */
  isDisabled?: boolean | undefined;
  /** Tells that the button's work is under way. */
  isBusy?: boolean | undefined;
  isWide?: boolean | undefined;
  children?: ComponentChildren;
}

/** Button. One with an icon and no text needs an `aria-label`. */
export function Button({
  kind = "normal",
  size = "m",
  icon,
  isDisabled,
  isBusy,
  isWide,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isInactive = Boolean(isDisabled || isBusy);
  const classes = joinClasses(
    "button",
    kind !== "normal" && kind,
    size === "s" && "s",
    isWide && "wide",
    !children && "icon",
  );
  return (
    <button
      type="button"
      {...rest}
      class={classes}
      aria-disabled={isInactive ? "true" : undefined}
      aria-busy={isBusy ? "true" : undefined}
      onClick={(event) => {
        if (isInactive) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon && <Icon name={icon} size={size === "s" ? 16 : 18} />}
      {children}
    </button>
  );
}
