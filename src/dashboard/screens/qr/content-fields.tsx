import { useEffect, useRef, useState } from "preact/hooks";
import { CONTENT_FIELDS, type ContentField, parseContent } from "../../../qr/content-fields.ts";
import type { ContentType } from "../../../qr/structured-content.ts";
import { query, setQuery } from "../../address/address.ts";
import { Combobox } from "../../components/combobox.tsx";
import { Check, Select, TextArea, TextField } from "../../components/field.tsx";
import { TileChoice } from "../../components/tile-choice.tsx";
import { showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { QR_TEXT_MAX_LENGTH } from "../../data/service-limits.ts";
import { canEdit } from "../../session/session.ts";
import {
  type CodeContent,
  type Link,
  readLinkChoices,
  setLinkTemplate,
  typedContents,
} from "./code-content.ts";
import type { DesignFieldProps } from "./design-fields.tsx";
import type { Template } from "./template-store.ts";

/** Delay after the last keystroke before a search is sent. */
const SEARCH_PAUSE_MS = 220;

const SOURCES = [
  { value: "link", label: "Link" },
  { value: "text", label: "Text" },
  { value: "wifi", label: "Wi-Fi" },
  { value: "vcard", label: "Contact" },
  { value: "email", label: "Email" },
  { value: "phone", label: "Phone" },
  { value: "sms", label: "SMS" },
  { value: "place", label: "Place" },
  { value: "event", label: "Event" },
] as const;

interface ContentProps extends DesignFieldProps {
  content: CodeContent;
  templates: readonly Template[];
  /** Shows a template, which can be undone. */
  onChoose: (templateId: string | null) => void;
}

/** Fields for the content of the code: a link, a text or a form. */
export function ContentFields({ content, templates, onChoose, design, onChange }: ContentProps) {
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
          {/* Keeps its place while the link loads. */}
          {(content.link !== null || content.content === undefined) && canEdit.value && (
            <LinkTemplate link={content.link} templates={templates} onChoose={onChoose} />
          )}
          <Check
            isSwitch
            label="Compact code"
            hint="Contains the short URL in upper case, which takes fewer modules."
            isChecked={design.compact ?? true}
            onChange={(compact) => onChange({ ...design, compact }, "compact")}
          />
        </>
      ) : content.source === "text" ? (
        <TextSource text={content.content ?? ""} />
      ) : (
        <ContentForm key={content.source} type={content.source} />
      )}
    </>
  );
}

/** Field for the template that the code of a link has everywhere. */
function LinkTemplate({
  link,
  templates,
  onChoose,
}: Pick<ContentProps, "templates" | "onChoose"> & { link: Link | null }) {
  const change = async (id: string) => {
    if (link === null) return;
    try {
      await setLinkTemplate(link.id, id === "" ? null : id);
      onChoose(id === "" ? null : id);
    } catch (fault) {
      showToast(asFault(fault).message);
    }
  };
  const templateId = link?.qr_template_id ?? "";
  return (
    <Select
      label="Template of this link"
      hint="Its QR code has this design everywhere, also in the API."
      value={templates.some(({ id }) => id === templateId) ? templateId : ""}
      choices={[
        { value: "", label: "None" },
        ...templates.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(id) => void change(id)}
    />
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

const FIXED_HINT = "It can't be changed after printing, and scans aren't counted.";

/** Form for a content that phones understand. The code is drawn once all required fields are valid. */
function ContentForm({ type }: { type: ContentType }) {
  const typed = typedContents.value[type] ?? {};
  const { problem } = parseContent(type, typed);
  const set = (name: string, value: string) => {
    typedContents.value = { ...typedContents.value, [type]: { ...typed, [name]: value } };
  };
  return (
    <>
      {CONTENT_FIELDS[type].map((field) => (
        <ContentInput
          key={field.name}
          field={field}
          value={typed[field.name] ?? ""}
          error={problem?.field === field.name && typed[field.name] ? capitalize(problem.message) : undefined}
          onInput={(value) => set(field.name, value)}
        />
      ))}
      <p class="small muted">{FIXED_HINT}</p>
    </>
  );
}

interface ContentInputProps {
  field: ContentField;
  value: string;
  error: string | undefined;
  onInput: (value: string) => void;
}

function ContentInput({
  field: { name, label, kind, choices, isRequired },
  value,
  error,
  onInput,
}: ContentInputProps) {
  if (kind === "flag")
    return <Check label={label} isChecked={value === "true"} onChange={(isSet) => onInput(String(isSet))} />;
  if (choices !== undefined) {
    const options = [
      { value: "", label: "Automatic" },
      ...choices.map((choice) => ({ value: choice, label: choice })),
    ];
    return <Select label={label} value={value} choices={options} onChange={onInput} />;
  }
  const texts = { label, error, note: isRequired ? "Required" : undefined };
  if (kind === "multiline") return <TextArea {...texts} value={value} onInput={onInput} />;
  if (kind === "moment")
    return (
      <TextField
        {...texts}
        type="datetime-local"
        value={value === "" ? "" : toLocalTime(value)}
        onInput={(local) => onInput(local === "" ? "" : new Date(local).toISOString())}
      />
    );
  return (
    <TextField
      {...texts}
      autocomplete="off"
      inputMode={name === "url" ? "url" : name === "email" || name === "to" ? "email" : "text"}
      placeholder={kind === "phone" ? "+44 20 7946 0000" : ""}
      value={value}
      onInput={onInput}
    />
  );
}

/** Converts a time in UTC to the value of a field for local times. */
function toLocalTime(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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
      hint={FIXED_HINT}
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
