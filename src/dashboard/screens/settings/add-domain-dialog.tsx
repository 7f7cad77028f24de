import { useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { asFault } from "../../data/calls.ts";
import { addDomain } from "./domain-store.ts";

/** Dialog that adds a domain to the workspace. */
export function AddDomainDialog() {
  const [hostname, setHostname] = useState("");
  const [error, setError] = useState<string | undefined>(undefined);
  const getAttemptKey = useAttemptKey();
  const add = async () => {
    setError(undefined);
    try {
      const { status } = await addDomain(hostname.trim(), getAttemptKey(hostname.trim()));
      close();
      showToast(status === "active" ? `${hostname} is active` : `Now add the DNS records for ${hostname}`);
    } catch (thrown) {
      const found = asFault(thrown).fields.hostname;
      if (found === undefined) throw thrown;
      setError(found);
    }
  };
  return (
    <FormDialog title="Add domain" submit="Add domain" onSubmit={add} onClose={close}>
      <TextField
        label="Domain"
        placeholder="go.example.com"
        hint="A domain or subdomain that isn't used for anything else. Next, you'll get the DNS records to add."
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        autoFocus
        error={error}
        value={hostname}
        onInput={setHostname}
      />
    </FormDialog>
  );
}

function close(): void {
  setQuery({ panel: null });
}
