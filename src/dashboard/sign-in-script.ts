/**
 * Signs people in with a passkey on the sign-in page, which works without this script in all other ways. The button
 * stays hidden in browsers without passkeys.
 */

const button = document.querySelector<HTMLButtonElement>("#passkey");
const message = document.querySelector<HTMLElement>("#passkey-message");

if (
  button !== null &&
  message !== null &&
  typeof PublicKeyCredential?.parseRequestOptionsFromJSON === "function"
) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    message.hidden = true;
    const fault = await signIn();
    button.disabled = false;
    message.textContent = fault;
    message.hidden = fault === null;
  });
}

/** Signs in and opens the dashboard. Returns a message if that failed, or null. */
async function signIn(): Promise<string | null> {
  try {
    const begun = await fetch("/sign-in/passkey/options", { method: "POST" });
    if (!begun.ok) return "Sign-in failed. Try again in a moment.";
    const { options, state } = await begun.json();
    const credential = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
    });
    const response = (credential as PublicKeyCredential).toJSON();
    const ended = await fetch("/sign-in/passkey", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ state, response }),
    });
    const { location: path, message } = await ended.json();
    if (!ended.ok) return message;
    location.assign(path);
    return null;
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === "NotAllowedError";
    return isCancelled ? "No passkey was used." : "Sign-in failed. Check your connection and try again.";
  }
}
