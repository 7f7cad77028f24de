import type { ComponentChildren } from "preact";
import { useSave } from "../forms/use-save.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FaultNotice } from "./states.tsx";

interface ConfirmDialogProps {
  title: string;
  /** Label of the confirm button, such as "Revoke key". */
  confirm: string;
  isDanger?: boolean | undefined;
  /** Performs the action and closes the dialog. If it throws, the dialog stays open and shows the fault. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** Description of the consequences, or choices. */
  children: ComponentChildren;
}

/** Dialog that asks for confirmation before an action that can't be undone. */
export function ConfirmDialog({
  title,
  confirm,
  isDanger = true,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const { isBusy, fault, run } = useSave();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={isDanger ? "danger" : "primary"} isBusy={isBusy} onClick={() => void run(onConfirm)}>
            {confirm}
          </Button>
        </>
      }
    >
      <div class="stack">
        {fault && <FaultNotice fault={fault} />}
        {children}
      </div>
    </Dialog>
  );
}
