import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/states.tsx";
import { person } from "../../session/session.ts";
import { addPasskey, canUsePasskeys } from "../settings/passkey-store.ts";

/** Key of the dismissal in the browser's storage. */
const STORAGE_KEY = "signpost-passkey-offer";

/** Offers a passkey to people who have none, so that later sign-ins need no link. Can be dismissed for good. */
export function PasskeyOffer() {
  const [isDismissed, setDismissed] = useState(readDismissal);
  const [isBusy, setBusy] = useState(false);
  if (isDismissed || person.value?.has_passkey !== false || !canUsePasskeys()) return null;
  const dismiss = () => {
    setDismissed(true);
    storeDismissal();
  };
  const add = async () => {
    setBusy(true);
    await addPasskey();
    setBusy(false);
  };
  return (
    <Notice
      action={
        <span class="row wrap">
          <Button size="s" kind="primary" isBusy={isBusy} onClick={() => void add()}>
            Add passkey
          </Button>
          <Button size="s" onClick={dismiss}>
            Not now
          </Button>
        </span>
      }
    >
      <p>
        <b>Sign in without a link next time.</b> A passkey uses your fingerprint, face or screen lock.
      </p>
    </Notice>
  );
}

function readDismissal(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

function storeDismissal(): void {
  try {
    localStorage.setItem(STORAGE_KEY, "dismissed");
  } catch {
    // Without storage, the dismissal lasts until the page is closed.
  }
}
