import { guessLanguage } from "../../../pages/page-language.ts";
import buttonCss from "../../components/button.module.css";
import { Combobox } from "../../components/combobox.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import fieldCss from "../../components/field.module.css";
import { Check, TextArea, TextField } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { ImageField } from "../../components/image-field.tsx";
import linkCardCss from "../../components/link-card.module.css";
import { PAGE_DESCRIPTION_MAX_LENGTH, PAGE_TITLE_MAX_LENGTH } from "../../data/service-limits.ts";
import { QrPicture } from "../links/qr-picture.tsx";
import type { Page } from "../pages/page-store.ts";
import { getLanguageName, LANGUAGE_OPTIONS } from "./language-names.ts";
import { type DraftData, toPageData } from "./page-draft.ts";
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
  const shown = toPageData(draft);
  const guessed = getLanguageName(guessLanguage(draft.title));
  return (
    <>
      <section class="stack" aria-labelledby="address-heading">
        <h2 id="address-heading">Page URL</h2>
        <div class={linkCardCss.card}>
          <QrPicture content={page.html_url} name={page.slug} />
          <div class="stack tight">
            <span class={linkCardCss.address}>{page.html_url.replace(/^https?:\/\//, "")}</span>
            <p class={fieldCss.hint}>
              {page.is_published
                ? "This URL never changes, so it's safe to print."
                : "This URL never changes, so it's safe to print. Visitors see “Page not found” until you publish the page."}
            </p>
            <span class="row wrap">
              <CopyButton text={page.html_url} what="page URL" hasText />
              <a
                class={`${buttonCss.button} ${buttonCss.plain} ${buttonCss.s}`}
                data-ui="button"
                href={`/qr?${new URLSearchParams({ source: "text", text: page.html_url })}`}
              >
                <Icon name="qr" size={16} />
                Design QR code
              </a>
            </span>
          </div>
        </div>
      </section>
      <section class="stack" aria-labelledby="preview-heading">
        <h2 id="preview-heading">Search and social previews</h2>
        <ShareCard
          host={page.html_url.replace(/^https?:\/\//, "").replace(/\/.*$/, "")}
          title={shown.seo?.title ?? draft.title}
          description={shown.seo?.description ?? draft.description}
          image={shown.seo?.image_url ?? shown.avatar_url}
          isLarge={shown.seo?.image_url !== undefined}
        />
        <TextField
          label="Preview title"
          placeholder={draft.title}
          maxLength={PAGE_TITLE_MAX_LENGTH}
          value={seo.title ?? ""}
          error={faults["seo.title"]}
          onInput={(title) => setSeo({ title })}
        />
        <TextArea
          label="Preview description"
          placeholder={draft.description}
          maxLength={PAGE_DESCRIPTION_MAX_LENGTH}
          value={seo.description ?? ""}
          error={faults["seo.description"]}
          onInput={(description) => setSeo({ description })}
        />
        <ImageField
          label="Preview image"
          hint="1200 × 630 pixels works best. If empty, a small version of the profile image is used."
          value={seo.image_url ?? ""}
          error={faults["seo.image_url"]}
          onInput={(image_url) => setSeo({ image_url })}
        />
        <Check
          label="Hide from search engines"
          hint="Anyone with the URL can still open the page."
          isChecked={seo.noindex === true}
          onChange={(isHidden) => setSeo({ noindex: isHidden || undefined })}
        />
      </section>
      <section class="stack" aria-labelledby="language-heading">
        <h2 id="language-heading">Language</h2>
        <Combobox
          label="Page language"
          hint={`Used by screen readers and for hyphenation. If empty, ${guessed} is assumed from the title.`}
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
