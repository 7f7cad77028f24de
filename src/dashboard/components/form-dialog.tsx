import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FaultNotice } from "./states.tsx";

interface FormDialogProps {
  title: string;
  kind?: "dialog" | "panel" | undefined;
  /** Label of the submit button, such as "Create key". */
  submit: string;
  /** Label of the cancel button. */
  cancel?: string | undefined;
  /** Disables submitting, for example while nothing has changed. */
  isDisabled?: boolean | undefined;
  /**
   * Saves the form and closes the dialog. If it throws, the fault is shown above the fields, and the entered
   * text stays.
   */
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}

/** Dialog with a form. If saving fails, moves the focus to the first invalid field. */
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
    // Waits until the fields have rendered their errors.
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
        {/* Makes Enter submit the form, because the visible submit button is outside the form. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
