import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import css from "./button.module.css";
import { Icon, type IconName } from "./icon.tsx";

/** Class of each kind. */
const KINDS = { normal: null, primary: css.primary, danger: css.danger, plain: css.plain };

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
    css.button,
    KINDS[kind],
    size === "s" && css.s,
    isWide && css.wide,
    !children && css.icon,
  );
  return (
    <button
      type="button"
      {...rest}
      class={classes}
      data-ui="button"
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
