import { useMemo } from "preact/hooks";
import { THEMES } from "../../../bio/theme-registry.ts";
import type { PageStyle } from "../../../bio/theme-types.ts";
import fieldCss from "../../components/field.module.css";
import { Segments } from "../../components/segments.tsx";
import { readBioUrl } from "../pages/bio-url.ts";
import { PageFrame } from "../pages/page-frame.tsx";
import type { Page } from "../pages/page-store.ts";
import { PictureChoices } from "../pages/picture-choices.tsx";
import { readShownScheme } from "../pages/shown-scheme.ts";
import { ColourField } from "./colour-field.tsx";
import { judgeColours } from "./colour-notes.ts";
import { toPageData } from "./page-draft.ts";
import type { PageForm } from "./use-page-form.ts";

const THEME_LABELS: Readonly<Record<string, string>> = {
  auto: "Auto",
  paper: "Paper",
  ink: "Ink",
  sunrise: "Sunrise",
  mono: "Mono",
  contrast: "Contrast",
};
const THEME_CHOICES = [...THEMES.keys()].map((name) => ({ name, label: THEME_LABELS[name] ?? name }));
const BUTTON_CHOICES = [
  { value: "", label: "Theme default" },
  { value: "solid", label: "Solid" },
  { value: "outline", label: "Outline" },
  { value: "soft", label: "Soft" },
] as const;
const RADIUS_CHOICES = [
  { value: "", label: "Theme default" },
  { value: "none", label: "Square" },
  { value: "md", label: "Rounded" },
  { value: "full", label: "Pill" },
] as const;
const COLOURS = [
  { name: "accent", label: "Accent" },
  { name: "background", label: "Background" },
  { name: "text", label: "Text" },
] as const;
const PICTURE = { widthPx: 390, heightPx: 520 } as const;

/** Fields of the design tab: theme, colours, and the style of links. */
export function DesignFields({ form, page }: { form: PageForm; page: Page }) {
  const { draft, faults, edit } = form;
  const { style = {}, theme } = draft.data;
  const nowMs = useMemo(Date.now, []);
  const content = useMemo(() => toPageData(draft), [draft]);
  const notes = judgeColours(theme, style);
  const setStyle = (change: PageStyle) => {
    const [name = ""] = Object.keys(change);
    edit(`style.${name}`, (before) => ({
      ...before,
      data: { ...before.data, style: { ...before.data.style, ...change } },
    }));
  };
  return (
    <>
      <PictureChoices
        label="Theme"
        choices={THEME_CHOICES}
        chosen={THEMES.has(theme ?? "") ? (theme ?? "auto") : "auto"}
        onChange={(name) => edit("", (before) => ({ ...before, data: { ...before.data, theme: name } }))}
      >
        {({ name }) => (
          <PageFrame
            page={{
              slug: page.slug,
              title: draft.title,
              description: draft.description,
              page_data: { ...content, theme: name },
            }}
            bioUrl={readBioUrl(page)}
            scheme={readShownScheme()}
            nowMs={nowMs}
            {...PICTURE}
          />
        )}
      </PictureChoices>
      <section class="stack" aria-labelledby="colours-heading">
        <h2 id="colours-heading">Colours</h2>
        <p class={fieldCss.hint}>
          Empty fields use the theme's colours. A custom background looks the same in light and dark mode.
        </p>
        <div class={fieldCss.pairs}>
          {COLOURS.map(({ name, label }) => {
            const note = notes.find(({ field }) => field === name);
            return (
              <ColourField
                key={name}
                label={label}
                value={style[name] ?? ""}
                note={note?.kind === "note" ? note.text : undefined}
                error={(note?.kind === "fault" ? note.text : "") || faults[`style.${name}`]}
                onChange={(colour) => setStyle({ [name]: colour || undefined })}
              />
            );
          })}
        </div>
      </section>
      <section class="stack" aria-labelledby="links-look-heading">
        <h2 id="links-look-heading">Links</h2>
        <Segments
          label="Fill"
          hasLabel
          segments={BUTTON_CHOICES}
          value={style.button ?? ""}
          onChange={(button) => setStyle({ button: button || undefined })}
        />
        <Segments
          label="Corners"
          hasLabel
          segments={RADIUS_CHOICES}
          value={style.radius ?? ""}
          onChange={(radius) => setStyle({ radius: radius || undefined })}
        />
      </section>
    </>
  );
}
