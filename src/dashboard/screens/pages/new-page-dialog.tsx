import { useState } from "preact/hooks";
import { SLUG_MAX_LENGTH } from "../../../bio/slug.ts";
import { navigate, setQuery } from "../../address/address.ts";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { asFault } from "../../data/calls.ts";
import { PAGE_TITLE_MAX_LENGTH } from "../../data/service-limits.ts";
import { readBioUrl } from "./bio-url.ts";
import { PageFrame } from "./page-frame.tsx";
import { createBioPage, type NewPage, type Page } from "./page-store.ts";
import { PictureChoices } from "./picture-choices.tsx";
import { readShownScheme } from "./shown-scheme.ts";
import { findStarter, STARTERS } from "./starters.ts";

const PICTURE = { widthPx: 390, heightPx: 520 } as const;

/** Values of the dialog when it was last closed. They are restored when it opens again. */
let kept = { title: "", slug: "" };

interface NewPageDialogProps {
  /** Name of the starter, from the page's URL. */
  starterName: string;
  /** Any existing page, from which the host of bio pages is read. Undefined if there is none. */
  host: Page | undefined;
  nowMs: number;
}

/** Dialog that creates a page from a starter, with a title and a slug. */
export function NewPageDialog({ starterName, host, nowMs }: NewPageDialogProps) {
  const starter = findStarter(starterName);
  const [title, setTitle] = useState(kept.title);
  const [slug, setSlug] = useState(kept.slug);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const getAttemptKey = useAttemptKey();
  const bioUrl = host === undefined ? null : readBioUrl(host);

  const close = () => {
    kept = { title, slug };
    setQuery({ new: null });
  };
  const create = async () => {
    setFields({});
    const { description, page_data } = starter;
    const path = slug.trim();
    const name = title.trim() === "" ? starter.title : title.trim();
    const body: NewPage = { title: name, description, page_data, ...(path !== "" && { slug: path }) };
    try {
      const page = await createBioPage(body, getAttemptKey(JSON.stringify(body)));
      kept = { title: "", slug: "" };
      navigate(`/pages/${page.id}`);
      showToast("Page created. It stays private until you publish it.");
    } catch (thrown) {
      const failure = asFault(thrown);
      // The error SLUG_TAKEN contains no field name.
      const taken = "This URL is already taken. Try a different one.";
      const placed: Readonly<Record<string, string>> =
        failure.code === "SLUG_TAKEN" ? { slug: taken } : failure.fields;
      if (!placed.title && !placed.slug) throw thrown;
      setFields(placed);
    }
  };
  return (
    <FormDialog kind="panel" title="New bio page" submit="Create page" onSubmit={create} onClose={close}>
      <TextField
        label="Title"
        hint="The name of a person, band or place. You can change it later."
        placeholder={starter.title}
        maxLength={PAGE_TITLE_MAX_LENGTH}
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
        label="URL"
        hint="Leave empty to use one based on the title. You can't change it later."
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
        label="Start from"
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
    </FormDialog>
  );
}

/** Returns an example of a slug. It resembles the slug that the API derives from a title. */
function suggestSlug(title: string): string {
  const letters = title.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").replaceAll("&", " and ");
  const words = letters.replace(/['’]/g, "").match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, SLUG_MAX_LENGTH) || "my-page";
}
