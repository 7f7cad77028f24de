import { CopyButton } from "./copy-button.tsx";

interface CodeBlockProps {
  text: string;
  /** Noun for the text, in its name and that of the button that copies it: "payload". */
  what: string;
  /** Bounds its height. The rest is scrolled to. */
  isBounded?: boolean | undefined;
}

/** Text for machines, with a button that copies it. */
export function CodeBlock({ text, what, isBounded }: CodeBlockProps) {
  return (
    <div class={isBounded ? "code-block bounded" : "code-block"}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <pre role="group" aria-label={what} tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
