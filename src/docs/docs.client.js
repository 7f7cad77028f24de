// Runs in the browser, on the reference page: the key, copying, filtering, and trying an operation.

const KEY = "signpost-key";
const keyField = document.getElementById("key");

/** The key comes from the address the local start prints (`/docs#key=…`), and stays for this tab only. */
function takeKey() {
  const given = /^#key=(.+)$/.exec(location.hash);
  if (given) {
    sessionStorage.setItem(KEY, decodeURIComponent(given[1]));
    history.replaceState(null, "", location.pathname);
  }
  keyField.value = sessionStorage.getItem(KEY) ?? "";
  keyField.addEventListener("input", () => sessionStorage.setItem(KEY, keyField.value.trim()));
}

function copyOnClick() {
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

function filterOperations() {
  document.getElementById("filter").addEventListener("input", ({ target }) => {
    const wanted = target.value.toLowerCase();
    for (const list of document.querySelectorAll("nav ul")) {
      const items = [...list.children];
      for (const item of items) {
        const address = document.querySelector(
          `${item.firstElementChild.hash.replaceAll(".", "\\.")} .address`,
        );
        const text = `${item.textContent} ${address?.textContent ?? ""}`;
        item.hidden = !text.toLowerCase().includes(wanted);
      }
      const isEmpty = items.every((item) => item.hidden);
      list.hidden = isEmpty;
      list.previousElementSibling.hidden = isEmpty;
    }
  });
}

/** Marks in the contents what is being read. */
function followReader() {
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting);
      if (!entered) return;
      for (const link of links.values()) link.classList.remove("here");
      const link = links.get(entered.target.id);
      link?.classList.add("here");
      link?.scrollIntoView({ block: "nearest" });
    },
    { rootMargin: "-10% 0px -75% 0px" },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) observer.observe(section);
  }
}

function requestOf(form) {
  let { path } = form.dataset;
  const query = new URLSearchParams();
  const headers = {};
  let body;
  for (const field of form.elements) {
    const place = field.dataset.in;
    if (place === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value.trim()));
    if (place === "query" && field.value !== "") query.append(field.name, field.value);
    if (place === "body") body = field.value;
  }
  if (form.dataset.open !== "true") headers.Authorization = `Bearer ${keyField.value.trim()}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const search = query.size > 0 ? `?${query}` : "";
  return [`${path}${search}`, { method: form.dataset.method.toUpperCase(), headers, body }];
}

async function answerOf(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (type.startsWith("image/")) {
    const image = new Image();
    image.alt = "The QR code";
    image.src = URL.createObjectURL(await response.blob());
    return image;
  }
  const text = await response.text();
  const block = document.createElement("pre");
  block.tabIndex = 0;
  block.textContent = type.startsWith("application/json") ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return block;
}

function tryOnSubmit() {
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
      const response = await fetch(...requestOf(form));
      const tookMs = Math.round(performance.now() - startMs);
      const left = response.headers.get("X-RateLimit-Remaining");
      const facts = [response.status, `${tookMs} ms`, left && `${left} calls left this month`].filter(
        Boolean,
      );
      output.replaceChildren(facts.join(" · "), await answerOf(response));
    } catch (error) {
      output.textContent = String(error);
    }
  });
}

takeKey();
copyOnClick();
filterOperations();
followReader();
tryOnSubmit();
