import { useRef, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { announce } from "./toast-list.ts";

const COPIED_MS = 1_600;

interface CopyButtonProps {
  text: string;
  /** Name of the text, such as "short URL". Used in the accessible name of the button. */
  what: string;
  /** Shows "Copy" next to the icon. */
  hasText?: boolean | undefined;
}

/** Button that copies text to the clipboard and confirms it. */
export function CopyButton({ text, what, hasText }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async () => {
    if (!(await copyText(text))) return;
    announce(`Copied ${what}`);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(setCopied, COPIED_MS, false);
  };
  return (
    <Button
      kind={hasText ? "normal" : "plain"}
      size="s"
      icon={isCopied ? "check" : "copy"}
      aria-label={`Copy ${what}`}
      onClick={() => void copy()}
    >
      {hasText && (isCopied ? "Copied" : "Copy")}
    </Button>
  );
}
