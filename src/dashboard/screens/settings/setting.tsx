import type { ComponentChildren } from "preact";
import css from "./setting.module.css";

interface SettingProps {
  title: string;
  /** Explains what the setting is for. */
  text?: ComponentChildren;
  children: ComponentChildren;
}

/** Block of settings with a title and an explanation on the left and the content on the right. */
export function Setting({ title, text, children }: SettingProps) {
  return (
    <section class={css.setting}>
      <div class={css.head}>
        <h2>{title}</h2>
        {text && <p class="small muted">{text}</p>}
      </div>
      <div class={css.body}>{children}</div>
    </section>
  );
}

interface SectionHeadProps {
  title: string;
  text: ComponentChildren;
  /** Main action of the section. */
  action?: ComponentChildren;
}

/** Heading of a section that contains a list. */
export function SectionHead({ title, text, action }: SectionHeadProps) {
  return (
    <div class={css.sectionHead}>
      <div>
        <h2>{title}</h2>
        <p class="small muted">{text}</p>
      </div>
      {action}
    </div>
  );
}
