import { useEffect, useRef, useState } from "preact/hooks";
import { query, setQuery } from "../../address/address.ts";
import { Combobox } from "../../components/combobox.tsx";
import { Check, TextArea } from "../../components/field.tsx";
import { TileChoice } from "../../components/tile-choice.tsx";
import { useResource } from "../../data/resources.ts";
import { QR_TEXT_MAX_LENGTH } from "../../data/service-limits.ts";
import { type CodeContent, type Link, readLinkChoices } from "./code-content.ts";
import type { DesignFieldProps } from "./design-fields.tsx";

/** Delay after the last keystroke before a search is sent. */
const SEARCH_PAUSE_MS = 220;

const SOURCES = [
  { value: "link", label: "Link" },
  { value: "text", label: "Text" },
] as const;

/** Fields for the content of the code: a link or a text. */
export function ContentFields({ content, design, onChange }: { content: CodeContent } & DesignFieldProps) {
  return (
    <>
      <TileChoice
        legend="Content"
        isLegendHidden
        tiles={SOURCES}
        value={content.source}
        onChange={(source) => setQuery({ source: source === "link" ? null : source })}
      />
      {content.source === "link" ? (
        <>
          <LinkField link={content.link} />
          <Check
            isSwitch
            label="Compact code"
            hint="Contains the short URL in upper case, which takes fewer modules."
            isChecked={design.compact ?? true}
            onChange={(compact) => onChange({ ...design, compact }, "compact")}
          />
        </>
      ) : (
        <TextSource text={content.content ?? ""} />
      )}
    </>
  );
}

function LinkField({ link }: { link: Link | null }) {
  const [search, setSearch] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const found = useResource<readonly Link[]>(`qr-links ${search}`, () => readLinkChoices(search));
  // Keeps the last results until the next ones arrive.
  const [choices, setChoices] = useState<readonly Link[]>([]);
  useEffect(() => {
    if (found.value !== undefined) setChoices(found.value);
  }, [found.value]);
  const shown = link === null || choices.some(({ id }) => id === link.id) ? choices : [link, ...choices];
  return (
    <Combobox
      label="Link"
      hint={
        found.value?.length === 0 && search === ""
          ? "You have no links yet, so this is an example."
          : "The QR code opens the short link, so you can change the destination after printing."
      }
      placeholder="Search by short code, destination or title"
      options={shown.map(({ id, short_code, title, destination }) => ({
        value: id,
        label: `/${short_code} · ${title ?? destination.replace(/^https?:\/\//, "")}`,
      }))}
      values={link === null ? [] : [link.id]}
      onType={(typed) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(setSearch, SEARCH_PAUSE_MS, typed.trim());
      }}
      onChange={([id]) => setQuery({ link: id })}
    />
  );
}

function TextSource({ text }: { text: string }) {
  const inAddress = new URLSearchParams(query.value).get("text") ?? "";
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (document.activeElement?.tagName !== "TEXTAREA") setTyped(inAddress);
  }, [inAddress]);
  return (
    <TextArea
      label="Text"
      hint="For example a URL, Wi-Fi login or contact. It can't be changed after printing, and scans aren't counted."
      maxLength={QR_TEXT_MAX_LENGTH}
      value={typed}
      onInput={(value) => {
        setTyped(value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setQuery({ text: value }), 120);
      }}
    />
  );
}
