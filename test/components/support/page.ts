import { resolveObjectURL } from "node:buffer";
import { vi } from "vitest";

/**
 * Page of a component test: finds and uses elements as Playwright's pages do, by the same names, in a document without
 * layout. A test moves between both without a change.
 */

type Text = string | RegExp;
interface NameOptions {
  name?: Text;
  exact?: boolean;
}

/** Time until something is there on a busy machine. */
const PATIENCE = { timeout: 3_000, interval: 10 };

const ROLES: Record<string, string> = {
  ...{ BUTTON: "button", DIALOG: "dialog", LI: "listitem", MAIN: "main", NAV: "navigation", OL: "list" },
  ...{ OPTION: "option", PROGRESS: "progressbar", SELECT: "combobox", TABLE: "table", TEXTAREA: "textbox" },
  ...{ TD: "cell", TR: "row", UL: "list", H1: "heading", H2: "heading", H3: "heading", H4: "heading" },
};
const INPUT_ROLES: Record<string, string> = {
  ...{ checkbox: "checkbox", number: "spinbutton", radio: "radio", range: "slider", search: "searchbox" },
};
/** Roles whose name is what the element says. */
const NAMED_BY_CONTENT =
  /^(?:button|cell|checkbox|heading|link|menuitem|menuitemradio|option|radio|row|switch|tab|tooltip)$/;

function findRole(element: Element): string | null {
  const given = element.getAttribute("role");
  if (given !== null) return given;
  if (element.tagName === "INPUT") {
    const type = element.getAttribute("type") ?? "text";
    if (/^(?:color|date|datetime-local|file|password|time)$/.test(type)) return null;
    return INPUT_ROLES[type] ?? "textbox";
  }
  if (element.tagName === "A") return element.hasAttribute("href") ? "link" : null;
  if (element.tagName === "IMG") return element.getAttribute("alt") === "" ? null : "img";
  if (element.tagName === "SECTION") return element.hasAttribute("aria-label") ? "region" : null;
  return ROLES[element.tagName] ?? null;
}

const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();

/** Returns the text of an element for screen readers. */
function readSpoken(node: Node): string {
  if (!(node instanceof Element)) return node.textContent ?? "";
  if (node.getAttribute("aria-hidden") === "true" || node.tagName === "SELECT") return "";
  const label = node.getAttribute("aria-label") ?? (node.tagName === "IMG" ? node.getAttribute("alt") : null);
  return label ?? [...node.childNodes].map(readSpoken).join(" ");
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

function isLike(given: string, expected: Text | undefined, exact = false): boolean {
  if (expected === undefined) return true;
  if (expected instanceof RegExp) return expected.test(given);
  return exact ? given === expected : given.toLowerCase().includes(expected.toLowerCase());
}

const popovers = new WeakSet<Element>();

/** Returns false inside of what is closed. */
function isShown(element: Element): boolean {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    if (each.hasAttribute("hidden") || (each.hasAttribute("popover") && !popovers.has(each))) return false;
    const parent = each.parentElement;
    if (parent?.tagName === "DETAILS" && !parent.hasAttribute("open") && each.tagName !== "SUMMARY")
      return false;
  }
  // All but the dialog that was opened last is inert.
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
    return this.#narrow(
      (roots) =>
        roots
          .flatMap((root) => [...root.querySelectorAll("*")])
          .filter(
            (each) => findRole(each) === role && isShown(each) && isLike(findName(each, role), name, exact),
          ),
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
            isLike(squeeze(each.textContent ?? ""), hasText) &&
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

  /** Waits until there is one element. */
  element(): Promise<HTMLElement> {
    return vi.waitFor(() => {
      const found = this.#find();
      if (found.length !== 1) throw new Error(`${found.length} elements are ${this.#description}`);
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
    if (modifiers.length === 0) return clickElement(element);
    element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey: true }));
  }

  async check(): Promise<void> {
    const element = (await this.element()) as HTMLInputElement;
    if (!element.checked) clickElement(element);
  }

  async fill(value: string): Promise<void> {
    const element = (await this.element()) as HTMLInputElement;
    element.focus();
    setValue(element, value);
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }

  async selectOption(label: string): Promise<void> {
    const select = (await this.element()) as HTMLSelectElement;
    const option = [...select.options].find((each) => squeeze(each.text) === label || each.value === label);
    if (option === undefined) throw new Error(`${this.#description} has no option ${label}`);
    select.value = option.value;
    select.dispatchEvent(new Event("input", { bubbles: true }));
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  async setInputFiles(file: { name: string; mimeType: string; buffer: BlobPart }): Promise<void> {
    const input = await this.element();
    const files = [new File([file.buffer], file.name, { type: file.mimeType })];
    Object.defineProperty(input, "files", { value: files, configurable: true });
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  async focus(): Promise<void> {
    (await this.element()).focus();
  }

  async press(key: string): Promise<void> {
    await this.focus();
    pressKey(key);
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

function setValue(element: HTMLInputElement, value: string): void {
  element.value = value;
  element.dispatchEvent(new Event("input", { bubbles: true }));
}

function clickElement(element: HTMLElement): void {
  if (element.tagName !== "SUMMARY") element.focus();
  element.click();
}

/** Presses a key, such as `Enter` or `ControlOrMeta+S`, where the focus is. */
function pressKey(combination: string): void {
  const key = combination.split("+").at(-1) || "+";
  const target = (document.activeElement ?? document.body) as HTMLInputElement;
  const event = new KeyboardEvent("keydown", {
    ...{ key: key.length > 1 || combination.includes("Shift") ? key : key.toLowerCase(), bubbles: true },
    ...{ cancelable: true, ctrlKey: /Control/.test(combination), shiftKey: /Shift/.test(combination) },
    altKey: /Alt/.test(combination),
  });
  if (!target.dispatchEvent(event) || combination !== key) return;
  if (key === "Escape") {
    const dialogs = document.querySelectorAll("dialog[open]");
    dialogs[dialogs.length - 1]?.dispatchEvent(new Event("cancel", { cancelable: true }));
  } else if (key === "Enter") {
    if (/^(?:A|BUTTON)$/.test(target.tagName)) target.click();
    else if (target.tagName === "INPUT") target.form?.requestSubmit();
  } else if (key === " " || key === "Space") target.click();
  else if (key.length === 1 && /^(?:INPUT|TEXTAREA)$/.test(target.tagName))
    setValue(target, target.value + key);
}

/** File that the page has saved. */
export interface Download {
  name: string;
  text(): Promise<string>;
}

const downloads: Download[] = [];

export const page = Object.assign(new Locator(() => [document.documentElement], "in the page"), {
  keyboard: {
    press: async (key: string) => pressKey(key),
    type: async (text: string) => {
      for (const key of text) pressKey(key);
    },
  },
  url: () => location.href,
  title: async () => document.title,
  /** Waits for the next file that is saved. */
  waitForDownload: () =>
    vi.waitFor(() => {
      const download = downloads.shift();
      if (download === undefined) throw new Error("nothing was saved");
      return download;
    }, PATIENCE),
});

/** Adds to the document what happy-dom lacks: popovers, and files that links save. */
export function completeDocument(): void {
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
  Element.prototype.matches = function (selector: string) {
    if (selector === ":popover-open") return popovers.has(this);
    // A click or a script moves the focus here, no key.
    return selector !== ":focus-visible" && matches.call(this, selector);
  };
  HTMLAnchorElement.prototype.click = function () {
    if (!this.hasAttribute("download")) return click.call(this);
    const { download: name, href } = this;
    downloads.push({ name, text: async () => (await resolveObjectURL(href)?.text()) ?? "" });
  };
  document.addEventListener("click", ({ target }) => {
    const opener = (target as Element).closest("[popovertarget]");
    const popover = document.getElementById(opener?.getAttribute("popovertarget") ?? "");
    if (popover !== null) toggle(popover, popovers.has(popover) ? "closed" : "open");
  });
}
