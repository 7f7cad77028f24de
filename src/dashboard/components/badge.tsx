import type { ComponentChildren } from "preact";
import { joinClasses } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface BadgeProps {
  tone?: "plain" | "accent" | "good" | "warn" | "danger" | undefined;
  icon?: IconName | undefined;
  children: ComponentChildren;
}

/** Short word about a state, or a label. The colour never says more than the word. */
export function Badge({ tone = "plain", icon, children }: BadgeProps) {
  return (
    <span class={joinClasses("badge", tone !== "plain" && tone)}>
      {icon && <Icon name={icon} size={13} />}
      <span>{children}</span>
    </span>
  );
}

/** Key of the keyboard, as a hint. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <>
      {keys.split(" ").map((key) => (
        <kbd key={key} class="key-hint">
          {key}
        </kbd>
      ))}
    </>
  );
}
