import type { ComponentChildren } from "preact";
import { Icon } from "../../components/icon.tsx";

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
    <details class="section" open={isOpen || undefined}>
      <summary>
        <Icon name="chevron" size={16} />
        {title}
        {summary !== "" && <span class="section-summary one-line">{summary}</span>}
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}
