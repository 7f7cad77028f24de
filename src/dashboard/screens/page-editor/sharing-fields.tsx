import { guessLanguage } from "../../../bio/page-language.ts";
import { Combobox } from "../../components/combobox.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Check, TextArea, TextField } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { PAGE_DESCRIPTION_MAX_LENGTH, PAGE_TITLE_MAX_LENGTH } from "../../data/service-limits.ts";
import { QrPicture } from "../links/qr-picture.tsx";
import type { Page } from "../pages/page-store.ts";
import { ImageField } from "./image-field.tsx";
import { getLanguageName, LANGUAGE_OPTIONS } from "./language-names.ts";
import type { DraftData } from "./page-draft.ts";
import { ShareCard } from "./share-card.tsx";
import type { PageForm } from "./use-page-form.ts";

type Seo = NonNullable<DraftData["seo"]>;

/** Fields of the sharing tab: URL and QR code, texts and image for search engines and chats, language. */
export function SharingFields({ form, page }: { form: PageForm; page: Page }) {
  const { draft, faults, edit } = form;
  const { seo = {}, lang } = draft.data;
  const setSeo = (change: Seo) => {
    const [name = ""] = Object.keys(change);
    edit(`seo.${name}`, (before) => ({
      ...before,
      data: { ...before.data, seo: { ...before.data.seo, ...change } },
    }));
  };
  const guessed = getLanguageName(guessLanguage(draft.title));
  return (
    <>
      <section class="stack" aria-labelledby="address-heading">
        <h2 id="address-heading">Address</h2>
        <div class="link-card">
          <QrPicture content={page.html_url} name={page.slug} />
          <div class="stack tight">
            <span class="link-address">{page.html_url.replace(/^https?:\/\//, "")}</span>
            <p class="field-hint">
              {page.is_published
                ? "It never changes, so it can be printed."
                : "It never changes, so it can be printed. Until the page is public, it leads to “not found”."}
            </p>
            <span class="row wrap">
              <CopyButton text={page.html_url} what="address" hasText />
              <a
                class="button plain s"
                href={`/qr?${new URLSearchParams({ source: "text", text: page.html_url })}`}
              >
                <Icon name="qr" size={16} />
                Design the code
              </a>
            </span>
          </div>
        </div>
      </section>
      <section class="stack" aria-labelledby="preview-heading">
        <h2 id="preview-heading">In search results and chats</h2>
        <ShareCard draft={draft} address={page.html_url} />
        <TextField
          label="Title there"
          placeholder={draft.title}
          maxLength={PAGE_TITLE_MAX_LENGTH}
          value={seo.title ?? ""}
          error={faults["seo.title"]}
          onInput={(title) => setSeo({ title })}
        />
        <TextArea
          label="Description there"
          placeholder={draft.description}
          maxLength={PAGE_DESCRIPTION_MAX_LENGTH}
          value={seo.description ?? ""}
          error={faults["seo.description"]}
          onInput={(description) => setSeo({ description })}
        />
        <ImageField
          label="Image there"
          hint="1200 × 630 pixels fit best. Without one, chats show the picture of the page, small."
          value={seo.image_url ?? ""}
          error={faults["seo.image_url"]}
          onChange={(image_url) => setSeo({ image_url })}
        />
        <Check
          label="Hide from search engines"
          hint="Whoever has the address can still open the page."
          isChecked={seo.noindex === true}
          onChange={(isHidden) => setSeo({ noindex: isHidden || undefined })}
        />
      </section>
      <section class="stack" aria-labelledby="language-heading">
        <h2 id="language-heading">Language</h2>
        <Combobox
          label="Language of the page"
          hint={`Screen readers use it, and long words are divided by its rules. Without one, it is ${guessed}, as the title looks.`}
          options={LANGUAGE_OPTIONS}
          values={lang ? [lang] : []}
          takesNew
          placeholder={guessed}
          error={faults.lang}
          onChange={([tag]) => edit("", (before) => ({ ...before, data: { ...before.data, lang: tag } }))}
        />
      </section>
    </>
  );
}
