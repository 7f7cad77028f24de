import { TextArea, TextField } from "../../components/field.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { PAGE_DESCRIPTION_MAX_LENGTH, PAGE_TITLE_MAX_LENGTH } from "../../data/service-limits.ts";
import { BlockList } from "./block-list.tsx";
import type { DraftData } from "./page-draft.ts";
import { SocialList } from "./social-list.tsx";
import type { PageForm } from "./use-page-form.ts";

/** Fields of the content tab: profile, links and social profiles. */
export function ContentFields({ form, openKey }: { form: PageForm; openKey: string | null }) {
  const { draft, faults, edit } = form;
  const { data } = draft;
  const setData = (change: Partial<DraftData>) => {
    const [field = ""] = Object.keys(change);
    edit(field, (before) => ({ ...before, data: { ...before.data, ...change } }));
  };
  return (
    <>
      <section class="stack" data-part="profile" aria-label="Profile">
        <h2>Profile</h2>
        <TextField
          label="Title"
          maxLength={PAGE_TITLE_MAX_LENGTH}
          required
          value={draft.title}
          error={faults.title}
          onInput={(title) => edit("title", (before) => ({ ...before, title }))}
        />
        <TextArea
          label="Description"
          maxLength={PAGE_DESCRIPTION_MAX_LENGTH}
          placeholder="Who you are, in a line or two"
          value={draft.description}
          error={faults.description}
          onInput={(description) => edit("description", (before) => ({ ...before, description }))}
        />
        <ImageField
          label="Profile image"
          hint="Square images work best. If empty, the page shows the first letter of the title."
          value={data.avatar_url ?? ""}
          error={faults.avatar_url}
          onInput={(avatar_url) => setData({ avatar_url })}
        />
        {Boolean(data.avatar_url) && (
          <TextField
            label="Image description"
            hint="Read aloud by screen readers."
            maxLength={PAGE_TITLE_MAX_LENGTH}
            value={data.avatar_alt ?? ""}
            error={faults.avatar_alt}
            onInput={(avatar_alt) => setData({ avatar_alt })}
          />
        )}
      </section>
      <BlockList form={form} openKey={openKey} />
      <SocialList form={form} />
    </>
  );
}
