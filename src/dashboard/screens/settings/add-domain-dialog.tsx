import { useRef, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FaultNotice } from "../../components/states.tsx";
import { showToast } from "../../components/toasts.tsx";
import type { ApiFault } from "../../data/api-fault.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { asFault } from "../../data/calls.ts";
import { addDomain } from "./domain-store.ts";

/** Dialog that claims a host for the workspace. */
export function AddDomainDialog() {
  const [hostname, setHostname] = useState("");
  const [fault, setFault] = useState<ApiFault | null>(null);
  const [isBusy, setBusy] = useState(false);
  const getAttemptKey = useAttemptKey();
  const form = useRef<HTMLFormElement>(null);
  const error = fault?.fields.hostname;
  const add = async () => {
    if (isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      const { status } = await addDomain(hostname.trim(), getAttemptKey(hostname.trim()));
      close();
      showToast(status === "active" ? `${hostname} is active` : `Now add the DNS records of ${hostname}`);
    } catch (thrown) {
      setFault(asFault(thrown));
      requestAnimationFrame(() => form.current?.querySelector("input")?.focus());
    }
    setBusy(false);
  };
  return (
    <Dialog
      title="Add a domain"
      onClose={close}
      foot={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => form.current?.requestSubmit()}>
            Add domain
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
          void add();
        }}
      >
        {fault && error === undefined && <FaultNotice fault={fault} />}
        <TextField
          label="Host"
          placeholder="go.example.com"
          hint="A host that serves nothing yet. Next, you see the DNS records that it needs."
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
          autoFocus
          error={error}
          value={hostname}
          onInput={setHostname}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function close(): void {
  setQuery({ panel: null });
}
