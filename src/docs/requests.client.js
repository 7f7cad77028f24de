// Requests on the reference page: examples in several languages, and forms that send requests with the
// reader's key.

const LANGUAGE_ITEM = "signpost-language";
const KEY_ITEM = "signpost-key";
const keyField = document.getElementById("key");

/** Returns the result of `use`, or null if the browser's settings block storage. */
function useStorage(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

/** Selects a language in the examples of all operations. */
function selectLanguage(language) {
  for (const button of document.querySelectorAll(".languages input")) {
    if (button.value === language) button.checked = true;
  }
}

function selectLanguageOnChange() {
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".languages input")) return;
    const { top } = target.getBoundingClientRect();
    selectLanguage(target.value);
    // The examples above now have different heights. Scrolls so that the clicked button stays in place.
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: "instant" });
    useStorage(() => localStorage.setItem(LANGUAGE_ITEM, target.value));
  });
}

function copyCodeOnClick() {
  document.addEventListener("click", async ({ target }) => {
    if (!target.matches("[data-copy]")) return;
    const blocks = [...target.closest(".code").querySelectorAll("pre")];
    const shown = blocks.find((block) => block.offsetParent !== null);
    await navigator.clipboard.writeText(shown.textContent);
    target.textContent = "Copied";
    setTimeout(() => {
      target.textContent = "Copy";
    }, 1500);
  });
}

/**
 * Reads the API key from the URL that a local deployment prints (`/docs#key=…`) and stores it for this tab.
 * Asks before replacing a stored key, because someone else's link could otherwise send the reader's requests
 * to another workspace.
 */
function restoreKey() {
  const stored = useStorage(() => sessionStorage.getItem(KEY_ITEM)) ?? "";
  const given = takeKeyFromUrl();
  keyField.value = stored || given;
  if (given !== "" && stored === "") storeKey(given);
  if (given !== "" && stored !== "" && given !== stored) askToReplaceKey(stored, given);
  keyField.addEventListener("input", () => storeKey(keyField.value.trim()));
}

function storeKey(key) {
  useStorage(() => sessionStorage.setItem(KEY_ITEM, key));
}

/** Removes the key from the URL and returns it, or an empty string if there is none. */
function takeKeyFromUrl() {
  const match = /^#key=(.+)$/.exec(location.hash);
  if (match === null) return "";
  history.replaceState(null, "", location.pathname);
  try {
    return decodeURIComponent(match[1]).trim();
  } catch {
    return "";
  }
}

/** Asks whether to replace the stored key with the key from the URL. Escape keeps the stored key. */
function askToReplaceKey(stored, given) {
  const dialog = document.getElementById("replace-key");
  const [storedPrefix, givenPrefix] = dialog.querySelectorAll("code");
  storedPrefix.textContent = getPublicPrefix(stored);
  givenPrefix.textContent = getPublicPrefix(given);
  dialog.addEventListener(
    "close",
    () => {
      if (dialog.returnValue !== "replace") return;
      keyField.value = given;
      storeKey(given);
    },
    { once: true },
  );
  dialog.showModal();
}

/** Returns the public part of a key. */
function getPublicPrefix(key) {
  return /^svc_pk_[A-Za-z0-9]{8}(?=\.)/.exec(key)?.[0] ?? "a malformed key";
}

function buildRequest(form) {
  let { path } = form.dataset;
  const query = new URLSearchParams();
  const headers = {};
  let body;
  for (const field of form.elements) {
    const location = field.dataset.in;
    if (location === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value.trim()));
    if (location === "query" && field.value !== "") query.append(field.name, field.value);
    if (location === "body") body = field.value;
  }
  if (form.dataset.open !== "true") headers.Authorization = `Bearer ${keyField.value.trim()}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const search = query.size > 0 ? `?${query}` : "";
  return [`${path}${search}`, { method: form.dataset.method.toUpperCase(), headers, body }];
}

async function renderResponse(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (type.startsWith("image/")) {
    const image = new Image();
    image.alt = "QR code";
    image.src = URL.createObjectURL(await response.blob());
    return image;
  }
  const text = await response.text();
  const block = document.createElement("pre");
  block.tabIndex = 0;
  block.textContent = type.startsWith("application/json") ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return block;
}

function sendOnSubmit() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("[data-try]")) return;
    event.preventDefault();
    const output = form.querySelector("output");
    if (form.dataset.open !== "true" && keyField.value.trim() === "") {
      output.textContent = "Enter an API key at the top of the page first.";
      keyField.focus();
      return;
    }
    output.textContent = "…";
    const startMs = performance.now();
    try {
      const response = await fetch(...buildRequest(form));
      const tookMs = Math.round(performance.now() - startMs);
      const remaining = response.headers.get("X-RateLimit-Remaining");
      const facts = [
        response.status,
        `${tookMs} ms`,
        remaining && `${remaining} calls left this month`,
      ].filter(Boolean);
      output.replaceChildren(facts.join(" · "), await renderResponse(response));
    } catch (error) {
      output.textContent = String(error);
    }
  });
}

selectLanguage(useStorage(() => localStorage.getItem(LANGUAGE_ITEM)));
selectLanguageOnChange();
copyCodeOnClick();
restoreKey();
sendOnSubmit();
