import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type DesignInput, resolveDesign } from "../../../qr/design.ts";
import { type Font, loadFont } from "../../../qr/font.ts";
import { layOutImage } from "../../../qr/frame.ts";
import { query, setQuery } from "../../address/address.ts";
import { readChoice } from "../../address/query-state.ts";
import { Button } from "../../components/button.tsx";
import screenCss from "../../components/screen.module.css";
import { FaultNotice } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { Tooltip } from "../../components/tooltip.tsx";
import { useResource } from "../../data/resources.ts";
import { CheckList } from "./check-list.tsx";
import { encodeContent, type Link, useCodeContent } from "./code-content.ts";
import { CodeDownloads } from "./code-downloads.tsx";
import { readLogo } from "./code-image.ts";
import { CodePreview, useSvgAddress, WaitingPreview } from "./code-preview.tsx";
import { ContentFields } from "./content-fields.tsx";
import { checkDesign } from "./design-checks.ts";
import { ColourFields, ReliabilityFields } from "./design-fields.tsx";
import { type DesignState, useDesign } from "./design-state.ts";
import { drawDesign } from "./draw-design.ts";
import { FrameFields } from "./frame-fields.tsx";
import { LogoFields } from "./logo-fields.tsx";
import { LookList } from "./look-list.tsx";
import { ManyFields } from "./many-view.tsx";
import { PrintFields, PrintSheet, usePrintWidth } from "./print-view.tsx";
import css from "./qr-screen.module.css";
import { ShapeFields } from "./shape-fields.tsx";
import { TemplateList } from "./template-list.tsx";
import { readTemplate, readTemplates, TEMPLATES_KEY, type Template } from "./template-store.ts";

const VIEWS = [
  { name: "design", label: "Design" },
  { name: "print", label: "Test print" },
  { name: "many", label: "Many codes" },
] as const;

/** QR studio: designs the QR code of a link or a text with a live preview, and offers its downloads. */
export default function QrScreen() {
  const content = useCodeContent();
  const templates = useResource<readonly Template[]>(TEMPLATES_KEY, readTemplates);
  const templateId = new URLSearchParams(query.value).get("template");
  const template = useTemplate(templateId, templates.value);
  const state = useDesign(template.design);
  useUndoKeys(state);
  useKeptContent();
  useTemplateOfLink(content.link, templates.value);
  const { design } = state;
  const logo = useLogo(design?.logo_url);
  const font = useFont(design?.frame !== undefined);
  const isFontLoading = design?.frame !== undefined && font === null;
  const view = readChoice(query.value, "view", ["design", "print", "many"]);
  const encoded = encodeContent(content, design ?? {});
  const drawing = useMemo(
    () =>
      design === undefined || encoded === "" || isFontLoading
        ? null
        : drawDesign(encoded, design, logo.picture, font),
    [encoded, JSON.stringify(design), logo.picture, font],
  );
  const address = useSvgAddress(drawing?.svg ?? null);
  const [widthMm, changeWidth] = usePrintWidth();
  const text = content.content ?? "";
  const box = layOutImage(resolveDesign(design ?? {}), drawing?.symbol?.matrix.side ?? 21);
  const fault = content.fault ?? template.fault;
  const change = (next: DesignInput, subject: string) => state.change(next, subject);
  const fields = { design: design ?? {}, onChange: change };
  return (
    <div class={screenCss.screen} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <h1>QR studio</h1>
        <div class="row">
          <Tooltip text="Ctrl Z">
            <Button
              icon="undo"
              aria-label="Undo"
              isDisabled={state.undo === null}
              onClick={() => state.undo?.()}
            />
          </Tooltip>
          <Tooltip text="Ctrl Shift Z">
            <Button
              icon="redo"
              aria-label="Redo"
              isDisabled={state.redo === null}
              onClick={() => state.redo?.()}
            />
          </Tooltip>
        </div>
      </div>
      {fault !== null && (
        <FaultNotice fault={fault} onRetry={() => setQuery({ link: null, template: null })} />
      )}
      <div class={css.studio} data-ui="studio">
        <div data-ui="studio-fields">
          <Tabs
            label="Steps"
            tabs={VIEWS}
            shown={view}
            onShow={(name) => setQuery({ view: name === "design" ? null : name })}
          >
            {view === "many" ? (
              <ManyFields design={design ?? {}} />
            ) : view === "print" ? (
              <div class={`stack ${css.print}`}>
                <PrintFields widthMm={widthMm} onChange={changeWidth} modules={box.width} />
              </div>
            ) : (
              <>
                <Group title="Content">
                  <ContentFields
                    content={content}
                    templates={templates.value ?? []}
                    onChoose={state.choose}
                    {...fields}
                  />
                </Group>
                <Group title="Presets">
                  <LookList {...fields} />
                </Group>
                <Group title="Frame">
                  <FrameFields {...fields} fault={drawing?.fault ?? null} />
                </Group>
                <Group title="Logo">
                  <LogoFields {...fields} fault={logo.fault} picture={logo.picture} />
                </Group>
                <Group title="Templates">
                  <TemplateList list={templates} state={state} />
                </Group>
                <Group title="Shapes">
                  <ShapeFields {...fields} />
                </Group>
                <Group title="Colours">
                  <ColourFields {...fields} />
                </Group>
                <Group title="Reliability">
                  <ReliabilityFields {...fields} />
                </Group>
              </>
            )}
          </Tabs>
        </div>
        <div class={css.result}>
          {design === undefined || content.content === undefined || isFontLoading ? (
            fault === null && <WaitingPreview />
          ) : view === "print" ? (
            <PrintSheet widthMm={widthMm} content={text} address={address} />
          ) : (
            <CodePreview
              content={text}
              drawing={drawing ?? { svg: null, symbol: null, fault: { field: "content", message: "" } }}
              address={address}
              ratio={box.width / box.height}
            />
          )}
          {view === "design" && design !== undefined && drawing !== null && (
            <div class={css.output}>
              {drawing.fault === null && (
                <CodeDownloads
                  content={encoded}
                  design={design}
                  symbol={drawing.symbol}
                  box={box}
                  svg={drawing.svg}
                  svgAddress={address}
                  fileName={content.fileName}
                />
              )}
              <CheckList checks={checkDesign(design, encoded, drawing)} onChange={change} />
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class={css.group} aria-label={title}>
      <h2>{title}</h2>
      <div class="stack">{children}</div>
    </section>
  );
}

/** Parameters of the content. The design is kept with its undo history. */
const CONTENT_PARAMETERS = ["source", "link", "text", "codes", "label", "search"] as const;

/** Content with which the screen was last left. */
let keptContent: Record<string, string | null> | null = null;

/** Shows the content again with which the screen was left, unless the page's URL has another one. */
function useKeptContent(): void {
  const parameters = new URLSearchParams(query.value);
  const latest = useRef(keptContent);
  const shown = Object.fromEntries(CONTENT_PARAMETERS.map((name) => [name, parameters.get(name)]));
  const isEmpty = Object.values(shown).every((value) => value === null);
  if (!isEmpty) latest.current = shown;
  useEffect(() => {
    if (isEmpty && keptContent !== null && parameters.size === 0) setQuery(keptContent);
    return () => {
      keptContent = latest.current;
    };
  }, []);
}

/** Shows the template of a link when the link is opened, unless another design is being edited. */
function useTemplateOfLink(link: Link | null, templates: readonly Template[] | undefined): void {
  const known = templates?.find(({ id }) => id === link?.qr_template_id)?.id;
  useEffect(() => {
    const parameters = new URLSearchParams(query.value);
    if (known !== undefined && !parameters.has("template") && !parameters.has("design"))
      setQuery({ template: known });
  }, [link?.id, known]);
}

/** Returns the design of a template. If the list doesn't contain the template, it is read separately. */
function useTemplate(
  id: string | null,
  list: readonly Template[] | undefined,
): { design: DesignInput | undefined; fault: unknown } {
  const listed = list?.find((template) => template.id === id);
  const isAlone = id !== null && list !== undefined && listed === undefined;
  const key = isAlone ? `qr-template ${id}` : "qr-template";
  const alone = useResource<Template | null>(key, async () => (isAlone ? readTemplate(id) : null));
  const template = listed ?? (isAlone ? alone.value : undefined);
  return { design: template?.design as DesignInput | undefined, fault: isAlone ? alone.fault : null };
}

/** Returns the logo as the API embeds it, or the error of reading it. */
function useLogo(logoUrl: string | undefined): { picture: string | null; fault: unknown } {
  const key = `qr-logo ${logoUrl ?? ""}`;
  const read = useResource<string | null>(key, async () =>
    logoUrl === undefined ? null : readLogo(logoUrl),
  );
  return { picture: read.value ?? null, fault: logoUrl === undefined ? null : read.fault };
}

/** Returns the font of frames once it is loaded. It is only loaded if it is needed. */
function useFont(isNeeded: boolean): Font | null {
  const key = isNeeded ? "qr-font" : "qr-no-font";
  return useResource<Font | null>(key, async () => (isNeeded ? loadFont() : null)).value ?? null;
}

/** Adds the usual keyboard shortcuts for undo and redo. Text fields keep the browser's own undo. */
function useUndoKeys(state: Pick<DesignState, "undo" | "redo">): void {
  // Effects run after the next frame, and two keys may be pressed before.
  const current = useRef(state);
  current.current = state;
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
      if (!(ctrlKey || metaKey) || altKey || document.querySelector("dialog[open]") !== null) return;
      if (
        target instanceof Element &&
        target.matches("textarea, input:not([type=range], [type=radio], [type=checkbox], [type=color])")
      )
        return;
      const letter = key.toLowerCase();
      const { undo, redo } = current.current;
      const step = letter === "z" ? (shiftKey ? redo : undo) : letter === "y" ? redo : null;
      if (letter !== "z" && letter !== "y") return;
      event.preventDefault();
      step?.();
    };
    addEventListener("keydown", handle);
    return () => removeEventListener("keydown", handle);
  }, []);
}
