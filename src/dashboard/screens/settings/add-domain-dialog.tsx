import { setQuery } from "../../address/address.ts";
import { TextField } from "../../components/field.tsx";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { FormSpec } from "../../forms/form-fields.ts";
import { useForm } from "../../forms/use-form.ts";
import { addDomain } from "./domain-store.ts";

const FORM: FormSpec<{ hostname: string }, { hostname?: string }> = {
  fields: { hostname: ({ hostname }) => ({ hostname: hostname.trim() }) },
};

/** Dialog that adds a domain to the workspace. */
export function AddDomainDialog() {
  const getAttemptKey = useAttemptKey();
  const form = useForm({
    spec: FORM,
    saved: { hostname: "" },
    save: async ({ hostname = "" }) => {
      const { status } = await addDomain(hostname, getAttemptKey(hostname));
      close();
      showToast(status === "active" ? `${hostname} is active` : `Now add the DNS records for ${hostname}`);
    },
    close,
  });
  return (
    <FormDialog title="Add domain" form={form} submit="Add domain" takesUnchanged>
      <TextField
        label="Domain"
        placeholder="go.example.com"
        hint="A domain or subdomain that isn't used for anything else. Next, you'll get the DNS records to add."
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        autoFocus
        {...form.text("hostname")}
      />
    </FormDialog>
  );
}

function close(): void {
  setQuery({ panel: null });
}
