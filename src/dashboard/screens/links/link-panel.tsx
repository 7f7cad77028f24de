import { useEffect, useRef, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FaultNotice, Skeleton } from "../../components/states.tsx";
import { showToast } from "../../components/toasts.tsx";
import type { ApiFault } from "../../data/api-fault.ts";
import { asFault } from "../../data/calls.ts";
import { canEdit, workspace } from "../../session/session.ts";
import {
  type DraftFaults,
  diffDrafts,
  EMPTY_DRAFT,
  type LinkDraft,
  placeFaults,
  toDraft,
} from "./link-draft.ts";
import { LinkFields } from "./link-fields.tsx";
import { judgeLink } from "./link-state.ts";
import {
  createLink,
  findKnownLink,
  type Link,
  type LinkPage,
  readLink,
  showNewLink,
  updateLink,
} from "./link-store.ts";
import { QrPicture } from "./qr-picture.tsx";
import { useShortHost } from "./short-host.ts";

interface LinkPanelProps {
  /** Id of the link, or `new`. */
  id: string;
  page: LinkPage | undefined;
}

/** Drafts that were closed without saving, by workspace and link. They are there when the panel is opened again. */
const drafts = new Map<string, LinkDraft>();

/** Panel beside the list, in which a link is created or changed. */
export function LinkPanel({ id, page }: LinkPanelProps) {
  const [link, setLink] = useState<Link | null>(findKnownLink(page, id));
  const [fault, setFault] = useState<unknown>(null);
  const isNew = id === "new";
  const load = () => {
    setFault(null);
    readLink(id).then(setLink, setFault);
  };
  useEffect(() => {
    if (!isNew && link === null) load();
  }, []);
  if (isNew || link !== null)
    return <LinkForm key={link?.id} id={id} link={link} page={page} onSaved={setLink} />;
  return (
    <Dialog kind="panel" title="Link" onClose={close}>
      {fault === null ? (
        <div class="stack">
          <Skeleton width="w-5" />
          <Skeleton width="w-9" />
          <Skeleton width="w-7" />
        </div>
      ) : (
        <FaultNotice fault={fault} onRetry={load} />
      )}
    </Dialog>
  );
}

interface LinkFormProps extends LinkPanelProps {
  link: Link | null;
  onSaved: (link: Link) => void;
}

function LinkForm({ id, link, page, onSaved }: LinkFormProps) {
  const key = `${workspace.peek()?.slug}/${id}`;
  const saved = link === null ? EMPTY_DRAFT : toDraft(link);
  const [draft, setDraft] = useState<LinkDraft>(drafts.get(key) ?? saved);
  const [faults, setFaults] = useState<DraftFaults>({});
  const [fault, setFault] = useState<ApiFault | null>(null);
  const [isBusy, setBusy] = useState(false);
  // A repeated attempt with the same body is the same creation.
  const attempt = useRef({ body: "", key: "" });
  const form = useRef<HTMLFormElement>(null);
  const shortStart = useShortHost(page);
  const change = diffDrafts(saved, draft);
  const isChanged = Object.keys(change).length > 0 || draft.slug !== saved.slug;

  const edit = (changed: Partial<LinkDraft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    const names = Object.keys(changed) as (keyof LinkDraft)[];
    setFaults((before) => ({ ...before, ...Object.fromEntries(names.map((name) => [name, undefined])) }));
  };
  const leave = () => {
    if (isChanged && !isBusy) {
      drafts.set(key, draft);
      showToast("Not saved. What you typed is kept.", {
        label: "Go on",
        run: () => setQuery({ link: id }, { push: true }),
      });
    }
    close();
  };
  const save = async () => {
    if (isBusy || !canEdit.peek()) return;
    setBusy(true);
    setFault(null);
    try {
      await (link === null ? create() : update(link));
      drafts.delete(key);
    } catch (thrown) {
      const failure = asFault(thrown);
      const placed = placeFaults(failure.fields);
      setFaults(placed);
      setFault(Object.keys(placed).length === 0 ? failure : null);
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    }
    setBusy(false);
  };
  const create = async () => {
    const slug = draft.slug.trim();
    const { url = "", ...others } = change;
    const given = Object.entries(others).filter(([, value]) => value !== null);
    const body = { url, ...(slug !== "" && { custom_slug: slug }), ...Object.fromEntries(given) };
    const text = JSON.stringify(body);
    if (attempt.current.body !== text) attempt.current = { body: text, key: crypto.randomUUID() };
    const created = await createLink(body, attempt.current.key);
    showNewLink(created);
    setQuery({ link: created.id });
    showToast(`/${created.short_code} is ready`);
  };
  const update = async ({ id }: Link) => {
    const shown: Partial<Link> = {
      destination: change.url ?? draft.destination,
      title: draft.title || null,
      labels: draft.labels,
    };
    const updated = await updateLink(id, change, shown);
    onSaved(updated);
    setDraft(toDraft(updated));
    showToast("Saved");
  };

  const slug = link?.short_code ?? (draft.slug.trim() || null);
  const content =
    link?.short_url ?? (slug === null || shortStart.url === null ? null : shortStart.url + slug);
  const state = link && judgeLink(link, Date.now());
  return (
    <Dialog
      kind="panel"
      title={link === null ? "New link" : (link.title ?? `/${link.short_code}`)}
      head={state && <Badge tone={state.tone}>{state.word}</Badge>}
      onClose={leave}
      foot={
        canEdit.value && (
          <>
            <Button onClick={leave}>{isChanged ? "Cancel" : "Close"}</Button>
            <Button
              kind="primary"
              isBusy={isBusy}
              isDisabled={!isChanged}
              onClick={() => form.current?.requestSubmit()}
            >
              {link === null ? "Create link" : "Save"}
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
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void save();
        }}
      >
        {fault && <FaultNotice fault={fault} onRetry={() => void save()} />}
        <div class="link-card">
          <QrPicture content={content} name={slug ?? "qr"} />
          <div class="stack tight">
            <span class="small muted">{link === null ? "Short address" : "Short URL"}</span>
            <span class="link-address">
              {shortStart.text}
              <b>{slug ?? "…"}</b>
            </span>
            {link && (
              <span class="row wrap">
                <CopyButton text={link.short_url} what="short URL" hasText />
                <span class="small muted numeric">
                  {link.scan_count.toLocaleString("en-GB")} {link.scan_count === 1 ? "scan" : "scans"}
                </span>
              </span>
            )}
          </div>
        </div>
        <fieldset disabled={!canEdit.value}>
          <LinkFields
            draft={draft}
            faults={faults}
            isNew={link === null}
            hasPassword={link?.has_password ?? false}
            shortStart={shortStart.text}
            onChange={edit}
          />
        </fieldset>
        {/* Enter in a field submits the form, although its button is in the foot of the panel. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

function close(): void {
  setQuery({ link: null });
}
