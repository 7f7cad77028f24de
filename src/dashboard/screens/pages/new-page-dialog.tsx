import { useRef, useState } from "preact/hooks";
import { navigate, setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FaultNotice } from "../../components/states.tsx";
import { showToast } from "../../components/toasts.tsx";
import type { ApiFault } from "../../data/api-fault.ts";
import { asFault } from "../../data/calls.ts";
import { readBioUrl } from "./bio-url.ts";
import { PageFrame } from "./page-frame.tsx";
import { createBioPage, type NewPage, type Page } from "./page-store.ts";
import { PictureChoices } from "./picture-choices.tsx";
import { readShownScheme } from "./shown-scheme.ts";
import { findStarter, STARTERS } from "./starters.ts";

const PICTURE = { widthPx: 390, heightPx: 520 } as const;
const SLUG_MAX_LENGTH = 60;

/** What was typed before the dialog was closed. It is there when it is opened again. */
let kept = { title: "", slug: "" };

interface NewPageDialogProps {
  /** Starter in the address. */
  starterName: string;
  /** Page that tells the host of bio pages, if there is one. */
  host: Page | undefined;
  nowMs: number;
}

/** Dialog that creates a page: from a starter, with a title and an address. */
export function NewPageDialog({ starterName, host, nowMs }: NewPageDialogProps) {
  const starter = findStarter(starterName);
  const [title, setTitle] = useState(kept.title);
  const [slug, setSlug] = useState(kept.slug);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [fault, setFault] = useState<ApiFault | null>(null);
  const [isBusy, setBusy] = useState(false);
  // A repeated attempt with the same body is the same creation.
  const attempt = useRef({ body: "", key: "" });
  const form = useRef<HTMLFormElement>(null);
  const bioUrl = host === undefined ? null : readBioUrl(host);

  const close = () => {
    kept = { title, slug };
    setQuery({ new: null });
  };
  const create = async () => {
    if (isBusy) return;
    setBusy(true);
    setFault(null);
    const { description, page_data } = starter;
    const path = slug.trim();
    const name = title.trim() === "" ? starter.title : title.trim();
    const body: NewPage = { title: name, description, page_data, ...(path !== "" && { slug: path }) };
    const text = JSON.stringify(body);
    if (attempt.current.body !== text) attempt.current = { body: text, key: crypto.randomUUID() };
    try {
      const page = await createBioPage(body, attempt.current.key);
      kept = { title: "", slug: "" };
      navigate(`/pages/${page.id}`);
      showToast("Your page is ready. Nobody sees it until you publish it.");
      return;
    } catch (thrown) {
      const failure = asFault(thrown);
      // Of the codes without fields, this one is about the address.
      const taken = "Another page has this address. Try a different one.";
      const placed: Readonly<Record<string, string>> =
        failure.code === "SLUG_TAKEN" ? { slug: taken } : failure.fields;
      setFields(placed);
      setFault(placed.title || placed.slug ? null : failure);
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    }
    setBusy(false);
  };
  return (
    <Dialog
      kind="panel"
      title="New bio page"
      onClose={close}
      foot={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => form.current?.requestSubmit()}>
            Create page
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
          void create();
        }}
      >
        {fault && <FaultNotice fault={fault} onRetry={() => void create()} />}
        <TextField
          label="Title"
          hint="A person, a band, a place. It can be changed later."
          placeholder={starter.title}
          maxLength={200}
          autoFocus
          autocomplete="off"
          value={title}
          error={fields.title}
          onInput={(typed) => {
            setTitle(typed);
            setFields({ ...fields, title: "" });
          }}
        />
        <TextField
          label="Address"
          hint="Leave it empty for one that follows from the title. It stays as it is once the page exists."
          affix={`${bioUrl?.replace(/^https?:\/\//, "") ?? "…"}/`}
          placeholder={suggestSlug(title || starter.title)}
          maxLength={SLUG_MAX_LENGTH}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={slug}
          error={fields.slug}
          onInput={(typed) => {
            setSlug(typed.toLowerCase().replace(/\s+/g, "-"));
            setFields({ ...fields, slug: "" });
          }}
        />
        <PictureChoices
          label="Start with"
          choices={STARTERS}
          chosen={starter.name}
          onChange={(name) => setQuery({ new: name })}
        >
          {(choice) => (
            <PageFrame
              page={{ ...choice, slug: "", title: title.trim() || choice.title }}
              bioUrl={bioUrl ?? ""}
              scheme={readShownScheme()}
              nowMs={nowMs}
              {...PICTURE}
            />
          )}
        </PictureChoices>
        {/* Enter in a field submits the form, although its button is in the foot of the panel. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

/** Returns an address like the one that the service derives from a title, as an example. */
function suggestSlug(title: string): string {
  const letters = title.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").replaceAll("&", " and ");
  const words = letters.replace(/['’]/g, "").match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, SLUG_MAX_LENGTH) || "my-page";
}
