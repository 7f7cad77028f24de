import type { ComponentChildren } from "preact";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { FaultNotice } from "../components/states.tsx";
import type { Form } from "./use-form.ts";

/** Parts of a form's state that don't depend on its fields. */
type AnyForm = Omit<Form<object>, "draft" | "edit" | "text" | "accept" | "faults">;

interface FootProps {
  form: AnyForm;
  /** Label of the submit button, such as "Create key". */
  submit: string;
  /** Enables the submit button also while nothing has changed, for example because all fields are optional. */
  takesUnchanged?: boolean | undefined;
}

interface FormDialogProps extends FootProps {
  title: string;
  kind?: "dialog" | "panel" | undefined;
  children: ComponentChildren;
}

/** Dialog with a form. */
export function FormDialog({ title, kind, children, ...foot }: FormDialogProps) {
  return (
    <Dialog kind={kind} title={title} onClose={foot.form.leave} foot={<FormFoot {...foot} />}>
      <FormBody form={foot.form}>{children}</FormBody>
    </Dialog>
  );
}

/** Buttons that leave and save a form. */
export function FormFoot({ form, submit, takesUnchanged = false }: FootProps) {
  const { isChanged, isBusy, leave, save } = form;
  return (
    <>
      <Button onClick={leave}>{isChanged || takesUnchanged ? "Cancel" : "Close"}</Button>
      <Button
        kind="primary"
        isBusy={isBusy}
        isDisabled={!(isChanged || takesUnchanged)}
        onClick={() => void save()}
      >
        {submit}
      </Button>
    </>
  );
}

/** Fields of a form, with the error that no field shows. Enter, and Ctrl+Enter in any field, save the form. */
export function FormBody({ form, children }: { form: AnyForm; children: ComponentChildren }) {
  const { element, fault, save } = form;
  return (
    <form
      ref={element}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void save();
      }}
    >
      {fault && <FaultNotice fault={fault} onRetry={() => void save()} />}
      {children}
      {/* Makes Enter submit the form, because the visible submit button is outside the form. */}
      <button type="submit" hidden />
    </form>
  );
}
