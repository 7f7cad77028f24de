import { PREVIEW_DESCRIPTION_MAX_LENGTH, PREVIEW_TITLE_MAX_LENGTH } from "../../../links/link-limits.ts";
import fieldCss from "../../components/field.module.css";
import { TextArea, TextField } from "../../components/field.tsx";
import { ImageField } from "../../components/image-field.tsx";
import { shortenAddress } from "../../data/link-state.ts";
import { ShareCard } from "../page-editor/share-card.tsx";
import { Section } from "./link-section.tsx";
import { summarizePreview } from "./link-summary.ts";
import { addScheme } from "./rules/rule-draft.ts";
import type { LinkForm } from "./use-link-draft.ts";

/** Section with the title, description and image that chats and social networks show for a link. */
export function PreviewFields({ form: { draft, faults, text } }: { form: LinkForm }) {
  const { previewTitle, previewDescription, previewImage } = draft;
  const isFaulty = Boolean(faults.previewTitle || faults.previewDescription || faults.previewImage);
  const image = addScheme(previewImage.trim());
  const host = shortenAddress(draft.destination).split("/", 1)[0];
  return (
    <Section title="Link preview" summary={summarizePreview(draft)} isOpen={isFaulty}>
      <p class={fieldCss.hint}>
        How the link looks when it's shared in chats and on social networks. Without a title, the
        destination's own preview is used.
      </p>
      <TextField label="Title" maxLength={PREVIEW_TITLE_MAX_LENGTH} {...text("previewTitle")} />
      <TextArea
        label="Description"
        maxLength={PREVIEW_DESCRIPTION_MAX_LENGTH}
        {...text("previewDescription")}
      />
      <ImageField label="Image" {...text("previewImage")} />
      {previewTitle.trim() !== "" && (
        <ShareCard
          host={host ?? ""}
          title={previewTitle}
          description={previewDescription}
          image={image === "" ? undefined : image}
          isLarge={image !== ""}
        />
      )}
    </Section>
  );
}
