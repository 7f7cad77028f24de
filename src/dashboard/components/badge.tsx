import type { ComponentChildren } from "preact";
import css from "./badge.module.css";
import { Icon, type IconName } from "./icon.tsx";

interface BadgeProps {
  tone?: "plain" | "accent" | "good" | "warn" | "danger" | undefined;
  icon?: IconName | undefined;
  children: ComponentChildren;
}

/** Short label, for example for a status. The colour adds no information that isn't in the text. */
export function Badge({ tone = "plain", icon, children }: BadgeProps) {
  return (
    <span class={css.badge} data-ui="badge" data-tone={tone}>
      {icon && <Icon name={icon} size={13} />}
      <span>{children}</span>
    </span>
  );
}

/** Keys of a shortcut, shown as a hint. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <>
      {keys.split(" ").map((key) => (
        <kbd key={key} class={css.keyHint} data-ui="key-hint">
          {key}
        </kbd>
      ))}
    </>
  );
}
