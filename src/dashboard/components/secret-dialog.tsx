import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { Check } from "./field.tsx";
import css from "./secret-dialog.module.css";
import { Notice } from "./states.tsx";

interface SecretDialogProps {
  title: string;
  secret: string;
  /** Name of the secret, such as "signing secret". */
  what: string;
  /** Describes what to do with the secret. */
  children?: ComponentChildren;
  onClose: () => void;
}

/** Dialog for a secret that is shown only once. Closing it unconfirmed first shows a warning. */
export function SecretDialog({ title, secret, what, children, onClose }: SecretDialogProps) {
  const [isKept, setKept] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const leave = () => (isKept || isWarned ? onClose() : setWarned(true));
  return (
    <Dialog
      title={title}
      onClose={leave}
      foot={
        <>
          <span class="grow">
            <Check label="I've saved it" isChecked={isKept} onChange={setKept} />
          </span>
          <Button kind="primary" isDisabled={!isKept} onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="small">Copy this {what} and store it safely. You won't be able to see it again.</p>
        <div class={css.secret} data-ui="secret">
          <code>{secret}</code>
          <CopyButton text={secret} what={what} hasText />
        </div>
        {children}
        {isWarned && !isKept && (
          <Notice tone="danger">
            You won't be able to see this {what} again. Close again to leave without saving it.
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
