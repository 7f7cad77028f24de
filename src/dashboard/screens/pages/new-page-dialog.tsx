import { SLUG_MAX_LENGTH } from "../../../bio/slug.ts";
import { navigate, setQuery } from "../../address/address.ts";
import { TextField } from "../../components/field.tsx";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { PAGE_TITLE_MAX_LENGTH } from "../../data/service-limits.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { FormSpec } from "../../forms/form-fields.ts";
import { useForm } from "../../forms/use-form.ts";
import { readBioUrl } from "./bio-url.ts";
import { PageFrame } from "./page-frame.tsx";
import { createBioPage, type NewPage, type Page } from "./page-store.ts";
import { PictureChoices } from "./picture-choices.tsx";
import { readShownScheme } from "./shown-scheme.ts";
import { findStarter, STARTERS } from "./starters.ts";

const PICTURE = { widthPx: 390, heightPx: 520 } as const;

interface Draft {
  title: string;
  slug: string;
}

const FORM: FormSpec<Draft, { title?: string; slug?: string }> = {
  fields: {
    title: ({ title }) => ({ title: title.trim() }),
    slug: ({ slug }) => ({ slug: slug.trim() }),
  },
};

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
  const getAttemptKey = useAttemptKey();
  const bioUrl = host === undefined ? null : readBioUrl(host);
  const form = useForm({
    spec: FORM,
    saved: { title: "", slug: "" },
    keep: { id: "new page", reopen: () => setQuery({ new: starterName }, { push: true }) },
    save: async ({ title = starter.title, slug }) => {
      const { description, page_data } = starter;
      const body: NewPage = { title, description, page_data, ...(slug && { slug }) };
      const page = await createBioPage(body, getAttemptKey(JSON.stringify(body)));
      navigate(`/pages/${page.id}`);
      showToast("Page created. It stays private until you publish it.");
    },
    close: () => setQuery({ new: null }),
  });
  const { title } = form.draft;
  return (
    <FormDialog kind="panel" title="New bio page" form={form} submit="Create page" takesUnchanged>
      <TextField
        label="Title"
        hint="The name of a person, band or place. You can change it later."
        placeholder={starter.title}
        maxLength={PAGE_TITLE_MAX_LENGTH}
        autoFocus
        autocomplete="off"
        {...form.text("title")}
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
        {...form.text("slug")}
        onInput={(typed) => form.edit({ slug: typed.toLowerCase().replace(/\s+/g, "-") })}
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
