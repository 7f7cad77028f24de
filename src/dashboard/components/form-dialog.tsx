import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FaultNotice } from "./states.tsx";

interface FormDialogProps {
  title: string;
  kind?: "dialog" | "panel" | undefined;
  /** Text of the button that submits: "Create key". */
  submit: string;
  /** Text of the button that leaves. */
  cancel?: string | undefined;
  /** Keeps the form from being submitted, as one without a change. */
  isDisabled?: boolean | undefined;
  /** Saves the form, and closes the dialog. What it throws is shown above the fields, and nothing typed is lost. */
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}

/** Dialog with one form. After it was refused, the focus is at the first field with a fault. */
export function FormDialog(props: FormDialogProps) {
  const { title, kind, submit, cancel = "Cancel", isDisabled, onSubmit, onClose, children } = props;
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const form = useRef<HTMLFormElement>(null);
  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      await onSubmit();
    } catch (thrown) {
      setFault(thrown);
    }
    setBusy(false);
    // The faults are at their fields when these are rendered again.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  return (
    <Dialog
      kind={kind}
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            isBusy={isBusy}
            isDisabled={isDisabled}
            onClick={() => form.current?.requestSubmit()}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {fault !== null && <FaultNotice fault={fault} onRetry={() => void run()} />}
        {children}
        {/* Enter in a field submits the form, although its button is in the foot of the dialog. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
