import { useState } from "preact/hooks";
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
import { FormBody, FormFoot } from "../../forms/form-dialog.tsx";
import { useForm } from "../../forms/use-form.ts";
import { useSave } from "../../forms/use-save.ts";
import { ADDRESSES, DOMAIN_FORM, toDomainDraft } from "./domain-draft.ts";
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
  const [isRemoving, setRemoving] = useState(false);
  const form = useForm({
    spec: DOMAIN_FORM,
    saved: toDomainDraft(domain),
    keep: { id: `domain ${id}`, reopen: () => setQuery({ domain: id }, { push: true }) },
    save: async (change) => {
      const stored = await updateDomain(id, change);
      showToast("Saved. Changes take effect within 35 seconds.");
      return toDomainDraft(stored);
    },
    close,
  });
  return (
    <Dialog
      kind="panel"
      title={hostname}
      head={
        <Badge tone={status === "active" ? "good" : "warn"}>
          {status === "active" ? "Active" : "Pending"}
        </Badge>
      }
      onClose={form.leave}
      foot={canChange && <FormFoot form={form} submit="Save" />}
    >
      <FormBody form={form}>
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
              {...form.text(field)}
            />
          ))}
          {DOCUMENTS.map((document) => (
            <DocumentEditor
              key={document.field}
              document={document}
              hostname={hostname}
              {...form.text(document.field)}
            />
          ))}
        </fieldset>
      </FormBody>
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
  value: string;
  error: string | undefined;
  onInput: (value: string) => void;
}

function DocumentEditor({ document, hostname, value, error, onInput }: DocumentEditorProps) {
  const { title, path, shape, example } = document;
  const { sizeBytes, fault } = parseDocument(value, shape);
  const isEmpty = value.trim() === "";
  const state = isEmpty ? "none" : `${formatBytes(sizeBytes)} of 128 KiB`;
  return (
    <details class={sectionCss.section} open={error !== undefined || undefined}>
      <summary>
        <Icon name="chevron" size={16} />
        {title}
        <span class="push small muted">{isEmpty ? "Not set" : fault === null ? "Set" : "Invalid"}</span>
      </summary>
      <div class={`stack tight ${css.json}`}>
        <TextArea
          label={`JSON served at ${path}`}
          note={state}
          hint={document.text}
          error={error ?? fault ?? undefined}
          value={value}
          onInput={onInput}
        />
        <span class="row wrap">
          {isEmpty ? (
            <Button size="s" onClick={() => onInput(JSON.stringify(example, null, 2))}>
              Insert example
            </Button>
          ) : (
            <Button
              size="s"
              isDisabled={fault !== null}
              onClick={() => onInput(JSON.stringify(JSON.parse(value), null, 2))}
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
  const { isBusy, fault, run } = useSave();
  const promote = async () => {
    await makePrimary(id);
    showToast(`${hostname} is now the primary domain`);
  };
  return (
    <div class={`stack tight ${css.commands}`}>
      {fault && <FaultNotice fault={fault} />}
      {is_primary ? (
        <p class="small muted">
          This is the primary domain, used in short URLs. To remove it, make another domain primary first.
        </p>
      ) : (
        <span class="row wrap">
          {status === "active" && (
            <Button size="s" isBusy={isBusy} onClick={() => void run(promote)}>
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
