import { useRef, useState } from "preact/hooks";
import { formatBytes } from "../../../core/byte-size.ts";
import { setQuery } from "../../address/address.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import sectionCss from "../../components/section.module.css";
import { FaultNotice } from "../../components/states.tsx";
import { showToast } from "../../components/toast-list.ts";
import type { CallError } from "../../data/call-error.ts";
import { asFault } from "../../data/calls.ts";
import {
  ADDRESSES,
  type DomainDraft,
  type DomainFaults,
  diffDomain,
  placeDomainFaults,
  toDomainDraft,
} from "./domain-draft.ts";
import css from "./domain-panel.module.css";
import { type Domain, makePrimary, removeDomain, updateDomain } from "./domain-store.ts";
import { DOCUMENTS, parseDocument, type WellKnownDocument } from "./well-known.ts";

interface DomainPanelProps {
  domain: Domain;
  canChange: boolean;
}

/** Panel of a domain: redirect URLs, documents for apps, and actions to make it primary or remove it. */
export function DomainPanel({ domain, canChange }: DomainPanelProps) {
  const { id, hostname, status } = domain;
  const saved = toDomainDraft(domain);
  const [draft, setDraft] = useState<DomainDraft>(saved);
  const [faults, setFaults] = useState<DomainFaults>({});
  const [fault, setFault] = useState<CallError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const diff = diffDomain(saved, draft);
  const isChanged = Object.keys(diff.change).length + Object.keys(diff.faults).length > 0;

  const edit = (field: keyof DomainDraft, text: string) => {
    setDraft((before) => ({ ...before, [field]: text }));
    setFaults((before) => ({ ...before, [field]: undefined }));
  };
  const showFaults = (found: DomainFaults) => {
    setFaults(found);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  const save = async () => {
    if (isBusy || !canChange) return;
    if (Object.keys(diff.faults).length > 0) return showFaults(diff.faults);
    setBusy(true);
    setFault(null);
    try {
      setDraft(toDomainDraft(await updateDomain(id, diff.change)));
      showToast("Saved. Changes take effect within 35 seconds.");
    } catch (thrown) {
      const failure = asFault(thrown);
      const placed = placeDomainFaults(failure.fields, draft);
      showFaults(placed);
      setFault(Object.keys(placed).length === 0 ? failure : null);
    }
    setBusy(false);
  };
  return (
    <Dialog
      kind="panel"
      title={hostname}
      head={
        <Badge tone={status === "active" ? "good" : "warn"}>
          {status === "active" ? "Active" : "Pending"}
        </Badge>
      }
      onClose={close}
      foot={
        canChange && (
          <>
            <Button onClick={close}>{isChanged ? "Cancel" : "Close"}</Button>
            <Button
              kind="primary"
              isBusy={isBusy}
              isDisabled={!isChanged}
              onClick={() => form.current?.requestSubmit()}
            >
              Save
            </Button>
          </>
        )
      }
    >
      <form
        ref={form}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {fault && <FaultNotice fault={fault} onRetry={() => void save()} />}
        <fieldset class="stack" disabled={!canChange}>
          {ADDRESSES.map(({ field, label, hint }) => (
            <TextField
              key={field}
              label={label}
              type="url"
              placeholder="https://example.com/"
              hint={`${hint} If empty, visitors see a Signpost page.`}
              autocapitalize="none"
              spellcheck={false}
              error={faults[field]}
              value={draft[field]}
              onInput={(text) => edit(field, text)}
            />
          ))}
          {DOCUMENTS.map((document) => (
            <DocumentEditor
              key={document.field}
              document={document}
              hostname={hostname}
              text={draft[document.field]}
              error={faults[document.field]}
              onInput={(text) => edit(document.field, text)}
            />
          ))}
        </fieldset>
        <button type="submit" hidden />
      </form>
      {canChange && <Commands domain={domain} onRemove={() => setRemoving(true)} />}
      {isRemoving && (
        <ConfirmDialog
          title={`Remove ${hostname}?`}
          confirm="Remove domain"
          onConfirm={async () => {
            await removeDomain(id);
            close();
            showToast(`${hostname} removed`);
          }}
          onClose={() => setRemoving(false)}
        >
          <p class="small">
            {status === "active"
              ? "Short URLs on this domain stop working within 35 seconds, including on printed QR codes. The links keep working on your other domains. Other workspaces can then add this domain."
              : "This domain isn't active yet, so no links are affected."}
          </p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

interface DocumentEditorProps {
  document: WellKnownDocument;
  hostname: string;
  text: string;
  error: string | undefined;
  onInput: (text: string) => void;
}

function DocumentEditor({ document, hostname, text, error, onInput }: DocumentEditorProps) {
  const { title, path, shape, example } = document;
  const { sizeBytes, fault } = parseDocument(text, shape);
  const state = text.trim() === "" ? "none" : `${formatBytes(sizeBytes)} of 128 KiB`;
  return (
    <details class={sectionCss.section} open={error !== undefined || undefined}>
      <summary>
        <Icon name="chevron" size={16} />
        {title}
        <span class="push small muted">
          {text.trim() === "" ? "Not set" : fault === null ? "Set" : "Invalid"}
        </span>
      </summary>
      <div class={`stack tight ${css.json}`}>
        <TextArea
          label={`JSON served at ${path}`}
          note={state}
          hint={document.text}
          error={error ?? fault ?? undefined}
          value={text}
          onInput={onInput}
        />
        <span class="row wrap">
          {text.trim() === "" ? (
            <Button size="s" onClick={() => onInput(JSON.stringify(example, null, 2))}>
              Insert example
            </Button>
          ) : (
            <Button
              size="s"
              isDisabled={fault !== null}
              onClick={() => onInput(JSON.stringify(JSON.parse(text), null, 2))}
            >
              Format JSON
            </Button>
          )}
          <a class="small" href={`https://${hostname}${path}`} target="_blank" rel="noreferrer">
            View document
          </a>
        </span>
      </div>
    </details>
  );
}

interface CommandsProps {
  domain: Domain;
  onRemove: () => void;
}

function Commands({ domain: { id, hostname, status, is_primary }, onRemove }: CommandsProps) {
  const [isBusy, setBusy] = useState(false);
  const promote = async () => {
    setBusy(true);
    try {
      await makePrimary(id);
      showToast(`${hostname} is now the primary domain`);
    } catch (fault) {
      showToast(asFault(fault).message);
    }
    setBusy(false);
  };
  return (
    <div class={`stack tight ${css.commands}`}>
      {is_primary ? (
        <p class="small muted">
          This is the primary domain, used in short URLs. To remove it, make another domain primary first.
        </p>
      ) : (
        <span class="row wrap">
          {status === "active" && (
            <Button size="s" isBusy={isBusy} onClick={() => void promote()}>
              Make primary
            </Button>
          )}
          <Button size="s" kind="danger" icon="trash" onClick={onRemove}>
            Remove domain
          </Button>
        </span>
      )}
    </div>
  );
}

function close(): void {
  setQuery({ domain: null });
}
