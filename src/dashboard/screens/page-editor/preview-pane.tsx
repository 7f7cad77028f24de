import { useEffect, useMemo, useState } from "preact/hooks";
import { MINUTE_MS } from "../../../core/time.ts";
import { query, setQuery } from "../../address/address.ts";
import { readChoice } from "../../address/query-state.ts";
import { TextField } from "../../components/field.tsx";
import { Segments } from "../../components/segments.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import type { Preview } from "../pages/preview-page.ts";
import { readShownScheme } from "../pages/shown-scheme.ts";
import { hasSchedule } from "./block-state.ts";
import { type PageDraft, toPageData } from "./page-draft.ts";
import pageEditorCss from "./page-editor.module.css";

/** Part of the page that was clicked in the preview. */
export type PreviewTarget = { part: "profile" | "socials" } | { part: "block"; index: number };

const DEVICES = [
  { value: "phone", label: "Phone", icon: "phone" },
  { value: "desktop", label: "Desktop", icon: "monitor" },
] as const;
const SCHEMES = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
] as const;
const SIZES = {
  phone: { widthPx: 390, heightPx: 780 },
  desktop: { widthPx: 1_280, heightPx: 860 },
} as const;

interface PreviewPaneProps {
  draft: PageDraft;
  slug: string;
  bioUrl: string;
  /** Index of the open block, which the preview highlights. */
  marked: number | null;
  onOpen: (target: PreviewTarget) => void;
}

/** Preview of the page as visitors see it. Clicking a part of it opens the fields for that part. */
export function PreviewPane({ draft, slug, bioUrl, marked, onOpen }: PreviewPaneProps) {
  const device = readChoice(query.value, "device", ["phone", "desktop"]);
  const parameters = new URLSearchParams(query.value);
  const chosenScheme = SCHEMES.find(({ value }) => value === parameters.get("scheme"))?.value;
  const scheme = chosenScheme ?? readShownScheme();
  const at = parameters.get("at") ?? "";
  const [schemes, setSchemes] = useState(2);
  const nowMs = useMinute();
  const atMs = new Date(at).getTime();
  const page = useMemo(
    () => ({ slug, title: draft.title, description: draft.description, page_data: toPageData(draft) }),
    [draft, slug],
  );
  return (
    <section class={pageEditorCss.previewPane} aria-label="Preview">
      <div class={`row wrap ${pageEditorCss.previewTools}`}>
        <Segments
          label="Screen"
          segments={DEVICES}
          value={device}
          isIconOnly
          onChange={(device) => setQuery({ device: device === "phone" ? null : device })}
        />
        <Segments
          label="Appearance"
          segments={SCHEMES}
          value={scheme}
          isIconOnly
          onChange={(scheme) => setQuery({ scheme })}
        />
        {schemes === 1 && <span class="small muted">Same in light and dark mode</span>}
      </div>
      <div class={pageEditorCss.device} data-device={device}>
        <PageFrame
          title="Page preview"
          page={page}
          bioUrl={bioUrl}
          scheme={scheme}
          nowMs={Number.isNaN(atMs) ? nowMs : atMs}
          marked={marked}
          onClick={(event) => {
            const target = findTarget(event.target);
            if (target !== null) onOpen(target);
          }}
          onShown={({ schemes }: Preview) => setSchemes(schemes)}
          {...SIZES[device]}
        />
      </div>
      {(hasSchedule(draft.blocks) || at !== "") && (
        <TextField
          label="Preview at"
          type="datetime-local"
          hint="Some links on this page are scheduled."
          value={at}
          onInput={(at) => setQuery({ at })}
        />
      )}
    </section>
  );
}

/**
 * Finds the clicked part of the page. `instanceof` doesn't work here, because elements in the frame have the
 * classes of another window.
 */
function findTarget(clicked: EventTarget | null): PreviewTarget | null {
  const element = clicked as Element | null;
  const [, index] = /\/l\/(\d+)$/.exec(element?.closest("a")?.getAttribute("href") ?? "") ?? [];
  if (index !== undefined) return { part: "block", index: Number(index) };
  if (element?.closest(".socials")) return { part: "socials" };
  return element?.closest("header") ? { part: "profile" } : null;
}

/** Returns the current time, updated every minute, so that scheduled links appear and disappear. */
function useMinute(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
