import type { ComponentChildren } from "preact";

interface SettingProps {
  title: string;
  /** Says what it is for. */
  text?: ComponentChildren;
  children: ComponentChildren;
}

/** Part of the settings: its name and purpose at the start, the rest beside it. */
export function Setting({ title, text, children }: SettingProps) {
  return (
    <section class="setting">
      <div class="setting-head">
        <h2>{title}</h2>
        {text && <p class="small muted">{text}</p>}
      </div>
      <div class="setting-body">{children}</div>
    </section>
  );
}

interface SectionHeadProps {
  title: string;
  text: ComponentChildren;
  /** Main command of the section. */
  action?: ComponentChildren;
}

/** Head of a section that is a list. */
export function SectionHead({ title, text, action }: SectionHeadProps) {
  return (
    <div class="section-head">
      <div>
        <h2>{title}</h2>
        <p class="small muted">{text}</p>
      </div>
      {action}
    </div>
  );
}
