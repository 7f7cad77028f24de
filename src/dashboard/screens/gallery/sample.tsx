import type { ComponentChildren } from "preact";

/** Part of the page of components, with a heading. */
export function Sample({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
