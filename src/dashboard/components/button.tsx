import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

/** Joins the class names that are set. */
export function joinClasses(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, "icon" | "size" | "disabled" | "children"> {
  /** Visual weight compared to the buttons next to it. At most one of them is primary. */
  kind?: "normal" | "primary" | "danger" | "plain" | undefined;
  size?: "m" | "s" | undefined;
  icon?: IconName | undefined;
  /** Prevents clicks. The button stays focusable, so that keyboard users don't lose their position. */
  isDisabled?: boolean | undefined;
  /** Shows that the button's action is running. */
  isBusy?: boolean | undefined;
  isWide?: boolean | undefined;
  children?: ComponentChildren;
}

/** Button. An icon button without text needs an `aria-label`. */
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
