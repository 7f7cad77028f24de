import type { FC } from "hono/jsx";

/** Text of the document, in which backticks enclose code. */
export const Text: FC<{ children: string }> = ({ children }) => (
  <>{children.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);

/** Text with an empty line between its paragraphs. */
export const Paragraphs: FC<{ children: string }> = ({ children }) => (
  <>
    {children.split("\n\n").map((paragraph) => (
      <p>
        <Text>{paragraph}</Text>
      </p>
    ))}
  </>
);

/** A block of code with a button that copies it. */
export const Code: FC<{ title: string; children: string }> = ({ title, children }) => (
  <figure class="code">
    <figcaption>
      {title}
      <button type="button" data-copy>
        Copy
      </button>
    </figcaption>
    {/* Focusable, so that who has no mouse can scroll it. */}
    <pre tabindex={0}>
      <code>{children}</code>
    </pre>
  </figure>
);
