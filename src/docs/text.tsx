import type { FC } from "hono/jsx";

/** Text in which backticks mark code. */
export const Text: FC<{ children: string }> = ({ children }) => (
  <>{children.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);

/** Text with paragraphs separated by empty lines. */
export const Paragraphs: FC<{ children: string }> = ({ children }) => (
  <>
    {children.split("\n\n").map((paragraph) => (
      <p>
        <Text>{paragraph}</Text>
      </p>
    ))}
  </>
);

/** Paragraph of a guide. If it contains an expression such as `{"{link_id}"}`, JSX passes several strings. */
export const P: FC<{ children: string | string[] }> = ({ children }) => (
  <p>
    <Text>{joinText(children)}</Text>
  </p>
);

/** List item of a guide. */
export const Item: FC<{ children: string | string[] }> = ({ children }) => (
  <li>
    <Text>{joinText(children)}</Text>
  </li>
);

function joinText(children: string | string[]): string {
  return [children].flat().join("");
}

/** Table with text cells. A table wider than the page scrolls on its own, also with the keyboard. */
export const Table: FC<{ head: readonly string[]; rows: readonly (readonly string[])[] }> = ({
  head,
  rows,
}) => (
  <figure class="table" tabindex={0} aria-label={`Table: ${head.join(", ")}`}>
    <table>
      <thead>
        <tr>
          {head.map((title) => (
            <th>
              <Text>{title}</Text>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell) => (
              <td>
                <Text>{cell}</Text>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </figure>
);

/** Block of code with a copy button. */
export const Code: FC<{ title: string; children: string }> = ({ title, children }) => (
  <figure class="code">
    <figcaption>
      {title}
      <CopyButton />
    </figcaption>
    {/* Focusable, so that the keyboard can scroll the code (WCAG 2.1.1). */}
    <pre tabindex={0}>
      <code>{children}</code>
    </pre>
  </figure>
);

/** Button that copies the code in its figure. */
export const CopyButton: FC = () => (
  <button type="button" data-copy>
    Copy
  </button>
);
