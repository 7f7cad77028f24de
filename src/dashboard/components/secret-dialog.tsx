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
  /** Noun for the secret: "signing secret". */
  what: string;
  /** Says what to do with it. */
  children?: ComponentChildren;
  onClose: () => void;
}

/** Shows a secret that is never shown again. The first attempt to leave without having kept it only warns. */
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
