import { resolveObjectURL } from "node:buffer";
import { options } from "preact";
import { vi } from "vitest";

/**
 * Page of a component test. Finds and uses elements with the same methods as Playwright's pages, in a
 * document without layout, so that tests can move between both unchanged.
 */

type Text = string | RegExp;
interface NameOptions {
  name?: Text;
  exact?: boolean;
}

/** Timeout for content on a busy machine. */
const PATIENCE = { timeout: 20_000, interval: 25 };

/** Elements that have a role without an attribute. */
const ELEMENTS: Record<string, string> = {
  button: "button",
  cell: "td",
  checkbox: "input[type=checkbox]",
  combobox: "select",
  dialog: "dialog",
  heading: "h1, h2, h3, h4",
  img: "img:not([alt=''])",
  link: "a[href]",
  list: "ol, ul",
  listitem: "li",
  main: "main",
  navigation: "nav",
  option: "option",
  progressbar: "progress",
  radio: "input[type=radio]",
  region: "section[aria-label]",
  row: "tr",
  slider: "input[type=range]",
  table: "table",
  textbox:
    "textarea, input:not([type]), input[type=text], input[type=url], input[type=email], input[type=search]",
};
/** Roles that are named by their content. */
const NAMED_BY_CONTENT =
  /^(?:button|cell|checkbox|heading|link|menuitem|menuitemradio|option|radio|row|switch|tab|tooltip)$/;

/** Finds all elements with a role inside another element. */
function listByRole(root: Element, role: string): Element[] {
  const own = ELEMENTS[role];
  return [
    ...root.querySelectorAll(own === undefined ? `[role="${role}"]` : `[role="${role}"], ${own}`),
  ].filter((element) => (element.getAttribute("role") ?? role) === role);
}

const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();

/** Returns the text of an element for screen readers. */
function readSpoken(node: Node): string {
  if (!(node instanceof Element)) return node.textContent ?? "";
  if (node.getAttribute("aria-hidden") === "true" || node.tagName === "SELECT") return "";
  const label = node.getAttribute("aria-label") ?? (node.tagName === "IMG" ? node.getAttribute("alt") : null);
  return ` ${label ?? [...node.childNodes].map(readSpoken).join("")} `;
}

function findName(element: Element, role: string): string {
  const labelledBy = element.getAttribute("aria-labelledby");
  if (labelledBy !== null) {
    return squeeze(
      labelledBy
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(" "),
    );
  }
  const label = element.getAttribute("aria-label") ?? element.getAttribute("alt");
  if (label !== null) return squeeze(label);
  const labels = [...(element.id === "" ? [] : document.querySelectorAll(`label[for="${element.id}"]`))];
  const around = element.closest("label");
  if (around !== null && /^(?:INPUT|SELECT|TEXTAREA)$/.test(element.tagName)) labels.push(around);
  if (labels.length > 0) return squeeze(labels.map(readSpoken).join(" "));
  if (NAMED_BY_CONTENT.test(role)) return squeeze(readSpoken(element));
  return squeeze(element.querySelector(":scope > caption")?.textContent ?? "");
}

function isLike(given: string, expected: Text, exact = false): boolean {
  if (expected instanceof RegExp) return expected.test(given);
  return exact ? given === expected : given.toLowerCase().includes(expected.toLowerCase());
}

const popovers = new WeakSet<Element>();

/** Returns false inside closed elements. */
function isShown(element: Element): boolean {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    if (each.hasAttribute("hidden") || (each.hasAttribute("popover") && !popovers.has(each))) return false;
    const parent = each.parentElement;
    if (parent?.tagName === "DETAILS" && !parent.hasAttribute("open") && each.tagName !== "SUMMARY")
      return false;
  }
  // Everything except the last opened dialog is inert.
  const dialogs = document.querySelectorAll("dialog[open]");
  return dialogs.length === 0 || (dialogs[dialogs.length - 1]?.contains(element) ?? false);
}

export class Locator {
  readonly #find: () => Element[];
  readonly #description: string;

  constructor(find: () => Element[], description: string) {
    this.#find = find;
    this.#description = description;
  }

  #narrow(find: (inside: Element[]) => Element[], description: string): Locator {
    return new Locator(() => [...new Set(find(this.#find()))], `${this.#description} ${description}`);
  }

  getByRole(role: string, { name, exact }: NameOptions = {}): Locator {
    const isNamed = (each: Element) => name === undefined || isLike(findName(each, role), name, exact);
    return this.#narrow(
      (roots) =>
        roots.flatMap((root) => listByRole(root, role)).filter((each) => isNamed(each) && isShown(each)),
      `${role} ${name ?? ""}`,
    );
  }

  /** Finds the innermost elements with a text. */
  getByText(text: Text, { exact }: NameOptions = {}): Locator {
    const has = (element: Element) => isLike(squeeze(element.textContent ?? ""), text, exact);
    return this.#narrow(
      (roots) =>
        roots
          .flatMap((root) => [...root.querySelectorAll("*")])
          .filter((each) => has(each) && isShown(each) && ![...each.children].some(has)),
      `text ${text}`,
    );
  }

  getByLabel(text: Text): Locator {
    return this.#narrow(
      (roots) =>
        roots
          .flatMap((root) => [...root.querySelectorAll("input, select, textarea")])
          .filter((each) => isShown(each) && isLike(findName(each, ""), text)),
      `label ${text}`,
    );
  }

  locator(selector: string, filter: { hasText?: Text } = {}): Locator {
    return this.#narrow(
      (roots) => roots.flatMap((root) => [...root.querySelectorAll(selector)]),
      selector,
    ).filter(filter);
  }

  filter({ hasText, has }: { hasText?: Text; has?: Locator }): Locator {
    return this.#narrow(
      (elements) =>
        elements.filter(
          (each) =>
            (hasText === undefined || isLike(squeeze(each.textContent ?? ""), hasText)) &&
            (has === undefined || has.#find().some((inner) => each.contains(inner))),
        ),
      hasText === undefined ? "" : `with ${hasText}`,
    );
  }

  nth(index: number): Locator {
    return this.#narrow((elements) => [elements.at(index)].filter((each) => each !== undefined), `#${index}`);
  }
  first = () => this.nth(0);
  last = () => this.nth(-1);

  async count(): Promise<number> {
    return this.#find().length;
  }

  /** Waits until there is exactly one element. */
  async element(): Promise<HTMLElement> {
    await render();
    return vi.waitFor(() => {
      const found = this.#find();
      if (found.length !== 1) {
        const shown = squeeze([...document.querySelectorAll("dialog[open], main")].at(-1)?.textContent ?? "");
        throw new Error(
          `${found.length} elements are ${this.#description}, which shows: ${shown.slice(0, 2_000)}`,
        );
      }
      return found[0] as HTMLElement;
    }, PATIENCE);
  }

  async waitFor({ state = "visible" }: { state?: "visible" | "attached" | "detached" } = {}): Promise<void> {
    if (state !== "detached") await this.element();
    else
      await vi.waitFor(() => {
        if (this.#find().length > 0) throw new Error(`there is still ${this.#description}`);
      }, PATIENCE);
  }

  async click({ modifiers = [] }: { modifiers?: "Shift"[] } = {}): Promise<void> {
    const element = await this.element();
    if (modifiers.length === 0) clickElement(element);
    else element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey: true }));
    await render();
  }

  async check(): Promise<void> {
    const element = (await this.element()) as HTMLInputElement;
    if (!element.checked) clickElement(element);
    await render();
  }

  async fill(value: string): Promise<void> {
    const element = (await this.element()) as HTMLInputElement;
    element.focus();
    setValue(element, value);
    element.dispatchEvent(new Event("change", { bubbles: true }));
    await render();
  }

  async selectOption(label: string): Promise<void> {
    const select = (await this.element()) as HTMLSelectElement;
    const option = [...select.options].find((each) => squeeze(each.text) === label || each.value === label);
    if (option === undefined) throw new Error(`${this.#description} has no option ${label}`);
    select.value = option.value;
    select.dispatchEvent(new Event("input", { bubbles: true }));
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await render();
  }

  async setInputFiles(file: { name: string; mimeType: string; buffer: BlobPart }): Promise<void> {
    const input = await this.element();
    const files = [new File([file.buffer], file.name, { type: file.mimeType })];
    Object.defineProperty(input, "files", { value: files, configurable: true });
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await render();
  }

  async focus(): Promise<void> {
    (await this.element()).focus();
    await render();
  }

  async press(key: string): Promise<void> {
    await this.focus();
    pressKey(key);
    await render();
  }

  async textContent(): Promise<string> {
    return (await this.element()).textContent ?? "";
  }

  async getAttribute(name: string): Promise<string | null> {
    return (await this.element()).getAttribute(name);
  }

  async inputValue(): Promise<string> {
    return ((await this.element()) as HTMLInputElement).value;
  }

  async isDisabled(): Promise<boolean> {
    const element = (await this.element()) as HTMLInputElement;
    return element.disabled || element.closest("fieldset[disabled]") !== null;
  }
}

/** Waits until components have rendered and their effects have run, as a person would. */
async function render(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setTimeout(resolve));
}

function setValue(element: HTMLInputElement, value: string): void {
  element.value = value;
  element.dispatchEvent(new Event("input", { bubbles: true }));
}

function clickElement(element: HTMLElement): void {
  if (element.tagName !== "SUMMARY") element.focus();
  element.click();
}

/** Presses a key, such as `Enter` or `ControlOrMeta+S`, on the focused element. */
function pressKey(combination: string): void {
  const key = combination.split("+").at(-1) || "+";
  const target = (document.activeElement ?? document.body) as HTMLInputElement;
  const event = new KeyboardEvent("keydown", {
    key: key.length > 1 || combination.includes("Shift") ? key : key.toLowerCase(),
    bubbles: true,
    cancelable: true,
    ctrlKey: /Control/.test(combination),
    shiftKey: /Shift/.test(combination),
    altKey: /Alt/.test(combination),
  });
  if (!target.dispatchEvent(event) || combination !== key) return;
  if (key === "Escape") {
    const dialogs = document.querySelectorAll("dialog[open]");
    dialogs[dialogs.length - 1]?.dispatchEvent(new Event("cancel", { cancelable: true }));
  } else if (key === "Enter") {
    if (/^(?:A|BUTTON|SUMMARY)$/.test(target.tagName)) target.click();
    else if (target.tagName === "INPUT") target.form?.requestSubmit();
  } else if (key === " " || key === "Space") target.click();
  else if (key.length === 1 && /^(?:INPUT|TEXTAREA)$/.test(target.tagName))
    setValue(target, target.value + key);
}

/** File that the page has saved. */
export interface Download {
  name: string;
  text(): Promise<string>;
  bytes(): Promise<Uint8Array>;
}

const downloads: Download[] = [];

export const page = Object.assign(new Locator(() => [document.documentElement], "in the page"), {
  keyboard: {
    async press(key: string): Promise<void> {
      pressKey(key);
      await render();
    },
    async type(text: string): Promise<void> {
      for (const key of text) await page.keyboard.press(key);
    },
  },
  url: () => location.href,
  title: async () => document.title,
  /** Waits for the next saved file. */
  waitForDownload: () =>
    vi.waitFor(() => {
      const download = downloads.shift();
      if (download === undefined) throw new Error("nothing was saved");
      return download;
    }, PATIENCE),
});

/** Adds features to the document that happy-dom lacks: popovers and saving files with links. */
export function completeDocument(): void {
  // Effects need not wait for a frame, because nothing is drawn.
  options.requestAnimationFrame = (run) => setTimeout(run);
  const toggle = (element: Element, newState: "open" | "closed") => {
    const isOpen = newState === "open";
    if (popovers.has(element) === isOpen) return;
    for (const type of ["beforetoggle", "toggle"]) {
      if (type === "toggle" && isOpen) popovers.add(element);
      else if (type === "toggle") popovers.delete(element);
      element.dispatchEvent(Object.assign(new Event(type), { newState }));
    }
  };
  const { matches } = Element.prototype;
  const { click } = HTMLAnchorElement.prototype;
  Object.assign(HTMLElement.prototype, {
    showPopover(this: Element) {
      toggle(this, "open");
    },
    hidePopover(this: Element) {
      toggle(this, "closed");
    },
  });
  Object.assign(Element.prototype, {
    matches(this: Element, selector: string) {
      if (selector === ":popover-open") return popovers.has(this);
      // A click or a script moves the focus here, not a key.
      return selector !== ":focus-visible" && matches.call(this, selector);
    },
  });
  const { showModal } = HTMLDialogElement.prototype;
  HTMLDialogElement.prototype.showModal = function () {
    showModal.call(this);
    const fields = [...this.querySelectorAll<HTMLElement>("input, select, textarea, button")];
    (fields.find(({ autofocus }) => autofocus) ?? fields[0])?.focus();
  };
  HTMLAnchorElement.prototype.click = function () {
    if (!this.hasAttribute("download")) return click.call(this);
    const { download: name, href } = this;
    downloads.push({
      name,
      text: async () => (await resolveObjectURL(href)?.text()) ?? "",
      bytes: async () => new Uint8Array((await resolveObjectURL(href)?.arrayBuffer()) ?? []),
    });
  };
  document.addEventListener("click", ({ target }) => {
    const opener = (target as Element).closest("[popovertarget]");
    const popover = document.getElementById(opener?.getAttribute("popovertarget") ?? "");
    if (popover !== null) toggle(popover, popovers.has(popover) ? "closed" : "open");
  });
}
