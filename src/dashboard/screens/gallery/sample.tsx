import type { ComponentChildren } from "preact";

/** Section of the gallery with a heading. */
export function Sample({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
