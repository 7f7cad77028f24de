import css from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";

interface CodeBlockProps {
  text: string;
  /** Name of the text, such as "payload". Used in the accessible names of the block and the copy button. */
  what: string;
  /** Limits the height. The rest can be scrolled to. */
  isBounded?: boolean | undefined;
}

/** Block of code with a copy button. */
export function CodeBlock({ text, what, isBounded }: CodeBlockProps) {
  return (
    <div class={isBounded ? `${css.block} ${css.bounded}` : css.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <pre role="group" aria-label={what} tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
