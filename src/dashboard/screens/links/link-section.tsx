import type { ComponentChildren } from "preact";
import { Icon } from "../../components/icon.tsx";

interface SectionProps {
  title: string;
  /** Words about what is set in it, which stand beside the title. */
  summary: string;
  /** Opens the section, such as for a fault in it. */
  isOpen?: boolean;
  children: ComponentChildren;
}

/** Part of a form that is closed until somebody needs it. It tells what is set in it. */
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
