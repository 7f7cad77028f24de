import type { ComponentChildren } from "preact";
import { Icon } from "../../components/icon.tsx";
import sectionCss from "../../components/section.module.css";

interface SectionProps {
  title: string;
  /** Summary of the section's values, shown next to the title. */
  summary: string;
  /** Opens the section, for example because it contains an error. */
  isOpen?: boolean;
  children: ComponentChildren;
}

/** Collapsible section of a form. Its heading summarises the values inside. */
export function Section({ title, summary, isOpen = false, children }: SectionProps) {
  return (
    <details class={sectionCss.section} open={isOpen || undefined}>
      <summary>
        <Icon name="chevron" size={16} />
        {title}
        {summary !== "" && <span class={`one-line ${sectionCss.summary}`}>{summary}</span>}
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}
