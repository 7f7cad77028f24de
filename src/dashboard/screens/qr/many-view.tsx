import { useState } from "preact/hooks";
import { PAPERS, SHEET_DEFAULTS } from "../../../client/print/sheet-layout.ts";
import type { PrintOutput } from "../../../client/print/write-codes.ts";
import { formatCount } from "../../../core/format-count.ts";
import type { DesignInput } from "../../../qr/design.ts";
import { FORMATS, type Format } from "../../../qr/image-size.ts";
import { query, setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { DropZone } from "../../components/drop-zone.tsx";
import { Check, Select, TextArea, TextField } from "../../components/field.tsx";
import { Progress } from "../../components/progress.tsx";
import { Notice } from "../../components/states.tsx";
import { TileChoice } from "../../components/tile-choice.tsx";
import { printSelection } from "../../data/print-selection.ts";
import { useResource } from "../../data/resources.ts";
import { SEARCH_MAX_LENGTH } from "../../data/service-limits.ts";
import { type Link, readLinkChoices } from "./code-content.ts";
import { type CodeSource, createCodes, manyProblem, manyRun, stopCodes } from "./many-run.ts";
import css from "./many-view.module.css";

type SourceKind = CodeSource["kind"];

/** Texts of the number fields and patterns, as typed. */
interface SheetDraft {
  paper: keyof typeof PAPERS | "roll";
  width: string;
  height: string;
  rows: string;
  columns: string;
  codeMm: string;
  margin: string;
  captions: string;
  hasCutMarks: boolean;
}

const SHEET_START: SheetDraft = {
  paper: "a4",
  width: "62",
  height: "40",
  rows: String(SHEET_DEFAULTS.rows),
  columns: String(SHEET_DEFAULTS.columns),
  codeMm: "",
  margin: String(SHEET_DEFAULTS.marginMm),
  captions: SHEET_DEFAULTS.captions.join("\n"),
  hasCutMarks: false,
};

interface FilesDraft {
  format: Format;
  name: string;
  /** Pixels of a PNG, or millimetres of a PDF. */
  width: string;
  codeMm: string;
}

const FILES_START: FilesDraft = { format: "svg", name: "{n}-{code}", width: "1024", codeMm: "30" };

const OUTPUTS = [
  { value: "sheets", label: "Sheets", note: "One PDF to print" },
  { value: "zip", label: "Files", note: "One ZIP archive" },
] as const;

/** Fields to create the codes of many links or rows, as sheets or as an archive. */
export function ManyFields({ design }: { design: DesignInput }) {
  const [file, setFile] = useState<File | null>(null);
  const [kind, setKind] = useState<"sheets" | "zip">("sheets");
  const [sheet, setSheet] = useState(SHEET_START);
  const [files, setFiles] = useState(FILES_START);
  const source = useSource(file);
  const output = kind === "sheets" ? toSheets(sheet) : toArchive(files);
  return (
    <div class={`stack ${css.fields}`}>
      <SourceFields file={file} onFile={setFile} />
      <TileChoice legend="Output" tiles={OUTPUTS} value={kind} onChange={setKind} />
      {kind === "sheets" ? (
        <SheetFields draft={sheet} onChange={(change) => setSheet({ ...sheet, ...change })} />
      ) : (
        <FileFields draft={files} onChange={(change) => setFiles({ ...files, ...change })} />
      )}
      {manyProblem.value !== null && <Notice tone="danger">{manyProblem.value}</Notice>}
      {manyRun.value === null ? (
        <div class="row">
          <Button
            kind="primary"
            icon="download"
            isDisabled={source === null}
            onClick={() => source && void createCodes(source, design, output)}
          >
            {kind === "sheets" ? "Create PDF" : "Create ZIP"}
          </Button>
        </div>
      ) : (
        <Run />
      )}
    </div>
  );
}

function Run() {
  const run = manyRun.value;
  if (run === null) return null;
  return (
    <div class="row wrap">
      <div class="grow stack tight">
        <span class="small numeric muted">
          {run.total === 0
            ? "Reading links…"
            : `${run.done.toLocaleString("en-GB")} of ${formatCount(run.total, "QR code")}`}
        </span>
        <Progress label="Creating QR codes" done={run.done} total={run.total} />
      </div>
      <Button onClick={stopCodes}>Stop</Button>
    </div>
  );
}

/** Returns the source that the page's URL describes, or null if it isn't complete. */
function useSource(file: File | null): CodeSource | null {
  const kind = readSourceKind();
  if (kind === "csv") return file && { kind, file };
  if (kind === "selection") return printSelection.value.length > 0 ? { kind } : null;
  const text = new URLSearchParams(query.value).get(kind)?.trim() ?? "";
  return text === "" ? null : { kind, text };
}

function readSourceKind(): SourceKind {
  const hasSelection = printSelection.value.length > 0;
  const given = new URLSearchParams(query.value).get("codes");
  if (given === "search" || given === "csv" || given === "label") return given;
  return hasSelection ? "selection" : "label";
}

function SourceFields({ file, onFile }: { file: File | null; onFile: (file: File) => void }) {
  const kind = readSourceKind();
  const parameters = new URLSearchParams(query.value);
  const label = parameters.get("label") ?? "";
  const newest = useResource<readonly Link[]>("qr-links ", () => readLinkChoices(""));
  const labels = [...new Set(newest.value?.flatMap((link) => link.labels))].sort();
  const count = printSelection.value.length;
  const tiles = [
    ...(count > 0 ? [{ value: "selection" as const, label: "Selection" }] : []),
    { value: "label" as const, label: "Label" },
    { value: "search" as const, label: "Search" },
    { value: "csv" as const, label: "CSV file" },
  ];
  return (
    <>
      <TileChoice
        legend="QR codes for"
        tiles={tiles}
        value={kind}
        onChange={(codes) => setQuery({ codes: codes === "selection" ? null : codes })}
      />
      {kind === "selection" && <p class="small muted">{formatCount(count, "link")} selected in the list.</p>}
      {kind === "label" && (
        <Combobox
          label="Label"
          placeholder="Choose a label"
          options={labels.map((value) => ({ value, label: value }))}
          values={label === "" ? [] : [label]}
          takesNew
          onChange={([chosen]) => setQuery({ label: chosen })}
        />
      )}
      {kind === "search" && (
        <TextField
          label="Search"
          placeholder="Search by short code, destination or title"
          maxLength={SEARCH_MAX_LENGTH}
          value={parameters.get("search") ?? ""}
          onInput={(search) => setQuery({ search })}
        />
      )}
      {kind === "csv" && (
        <DropZone
          label={file === null ? "Choose file" : "Choose another file"}
          accept=".csv,.tsv,text/csv,text/tab-separated-values"
          isSingle
          onFiles={([chosen]) => chosen && onFile(chosen)}
        >
          {file?.name ??
            "A table with a column content, short_url or url. An export of your links works as it is."}
        </DropZone>
      )}
    </>
  );
}

const PAPER_CHOICES = [
  { value: "a4", label: "A4" },
  { value: "letter", label: "Letter" },
  { value: "roll", label: "Labels on a roll" },
] as const;

/** Grid and margin of a paper when it is chosen. */
const GRIDS = {
  a4: { rows: "8", columns: "3", margin: "10" },
  letter: { rows: "8", columns: "3", margin: "10" },
  roll: { rows: "1", columns: "1", margin: "2" },
} as const;

interface DraftProps<Draft> {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

function SheetFields({ draft, onChange }: DraftProps<SheetDraft>) {
  const field = (name: "width" | "height" | "rows" | "columns" | "codeMm" | "margin", label: string) => (
    <TextField
      label={label}
      inputMode="numeric"
      value={draft[name]}
      placeholder={name === "codeMm" ? "Largest" : ""}
      onInput={(text) => onChange({ [name]: text })}
    />
  );
  return (
    <>
      <Select
        label="Paper"
        value={draft.paper}
        choices={PAPER_CHOICES}
        onChange={(paper) => onChange({ paper, ...GRIDS[paper] })}
      />
      <div class={css.numbers}>
        {draft.paper === "roll" && field("width", "Width (mm)")}
        {draft.paper === "roll" && field("height", "Height (mm)")}
        {field("columns", "Columns")}
        {field("rows", "Rows")}
        {field("margin", "Margin (mm)")}
        {field("codeMm", "Code (mm)")}
      </div>
      <TextArea
        label="Caption"
        hint="One line each. {title}, {url}, {n} and columns of the file are filled in."
        value={draft.captions}
        onInput={(captions) => onChange({ captions })}
      />
      <Check
        isSwitch
        label="Cut marks"
        isChecked={draft.hasCutMarks}
        onChange={(hasCutMarks) => onChange({ hasCutMarks })}
      />
    </>
  );
}

function FileFields({ draft, onChange }: DraftProps<FilesDraft>) {
  return (
    <>
      <Select
        label="Format"
        value={draft.format}
        choices={FORMATS.map((value) => ({ value, label: value.toUpperCase() }))}
        onChange={(format) => onChange({ format })}
      />
      {draft.format === "png" && (
        <TextField
          label="Width (pixels)"
          inputMode="numeric"
          value={draft.width}
          onInput={(width) => onChange({ width })}
        />
      )}
      {draft.format === "pdf" && (
        <TextField
          label="Code (mm)"
          inputMode="numeric"
          value={draft.codeMm}
          onInput={(codeMm) => onChange({ codeMm })}
        />
      )}
      <TextField
        label="File names"
        hint="{n}, {code}, {title}, {url} and columns of the file are filled in."
        value={draft.name}
        onInput={(name) => onChange({ name })}
      />
    </>
  );
}

function toSheets(draft: SheetDraft): PrintOutput {
  const paper =
    draft.paper === "roll"
      ? { widthMm: toNumber(draft.width, 62), heightMm: toNumber(draft.height, 40) }
      : PAPERS[draft.paper];
  return {
    kind: "sheets",
    sheet: {
      paper,
      rows: toCount(draft.rows),
      columns: toCount(draft.columns),
      codeMm: draft.codeMm.trim() === "" ? null : toNumber(draft.codeMm, 0),
      marginMm: toNumber(draft.margin, 0),
      captions: draft.captions.split("\n").filter((line) => line.trim() !== ""),
      hasCutMarks: draft.hasCutMarks,
    },
  };
}

function toArchive({ format, name, width, codeMm }: FilesDraft): PrintOutput {
  const widthPx = Math.round(toNumber(width, 1_024));
  return { kind: "zip", format, name, widthPx, codeMm: toNumber(codeMm, 30) };
}

/** Parses a number with a comma or a point. */
function toNumber(text: string, fallback: number): number {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() !== "" && value >= 0 ? value : fallback;
}

/** Parses a number of rows or columns. */
function toCount(text: string): number {
  return Math.max(1, Math.round(toNumber(text, 1)));
}
