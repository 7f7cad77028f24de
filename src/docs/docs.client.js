// Script of the reference page: stores the API key, copies code, filters the contents, and sends requests.

const KEY = "signpost-key";
const keyField = document.getElementById("key");

/** Reads the key from the URL that a local start prints (`/docs#key=…`) and keeps it for this tab. */
function restoreKey() {
  const match = /^#key=(.+)$/.exec(location.hash);
  if (match) {
    sessionStorage.setItem(KEY, decodeURIComponent(match[1]));
    history.replaceState(null, "", location.pathname);
  }
  keyField.value = sessionStorage.getItem(KEY) ?? "";
  keyField.addEventListener("input", () => sessionStorage.setItem(KEY, keyField.value.trim()));
}

function copyCodeOnClick() {
  document.addEventListener("click", async ({ target }) => {
    if (!target.matches("[data-copy]")) return;
    const code = target.closest(".code").querySelector("code").textContent;
    await navigator.clipboard.writeText(code);
    target.textContent = "Copied";
    setTimeout(() => {
      target.textContent = "Copy";
    }, 1500);
  });
}

function filterContentsOnInput() {
  document.getElementById("filter").addEventListener("input", ({ target }) => {
    const wanted = target.value.toLowerCase();
    for (const list of document.querySelectorAll("nav ul")) {
      const items = [...list.children];
      for (const item of items) {
        const path = document.querySelector(`${item.firstElementChild.hash.replaceAll(".", "\\.")} .address`);
        const text = `${item.textContent} ${path?.textContent ?? ""}`;
        item.hidden = !text.toLowerCase().includes(wanted);
      }
      const isEmpty = items.every((item) => item.hidden);
      list.hidden = isEmpty;
      list.previousElementSibling.hidden = isEmpty;
    }
  });
}

/** Marks the section that is being read in the contents. */
function markCurrentSection() {
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting);
      if (!entered) return;
      for (const link of links.values()) link.classList.remove("current");
      const link = links.get(entered.target.id);
      link?.classList.add("current");
      link?.scrollIntoView({ block: "nearest" });
    },
    { rootMargin: "-10% 0px -75% 0px" },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) observer.observe(section);
  }
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

restoreKey();
copyCodeOnClick();
filterContentsOnInput();
markCurrentSection();
sendOnSubmit();
