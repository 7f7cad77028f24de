import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { Check } from "./field.tsx";
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

/** Dialog for a secret that is shown only once. The first attempt to close it unconfirmed only warns. */
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
            <Check label="I have kept it" isChecked={isKept} onChange={setKept} />
          </span>
          <Button kind="primary" isDisabled={!isKept} onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="small">This {what} is shown only now. Put it where your other secrets are.</p>
        <div class="secret">
          <code>{secret}</code>
          <CopyButton text={secret} what={what} hasText />
        </div>
        {children}
        {isWarned && !isKept && (
          <Notice tone="danger">
            Nobody can show this {what} again. Close once more to leave without it.
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
