import { useEffect, useState } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { Badge, KeyHint } from "../../components/badge.tsx";
import buttonCss from "../../components/button.module.css";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Icon } from "../../components/icon.tsx";
import { LabelBadge } from "../../components/label-badge.tsx";
import screenCss from "../../components/screen.module.css";
import type { Schemas } from "../../data/calls.ts";
import { judgeLink } from "../../data/link-state.ts";
import { canEdit } from "../../session/session.ts";
import { shareLinks } from "../../shared-reports/sharing.ts";
import { LinkAliases } from "../links/link-aliases.tsx";
import { RenameDialog } from "../links/rename-dialog.tsx";
import css from "./link-detail-head.module.css";
import { QrCard } from "./qr-card.tsx";

/** Head of a link's screen: title, short URL, destination, QR code, and buttons to edit the link. */
export function LinkHead({ link, onRenamed }: { link: Schemas["Link"]; onRenamed: () => void }) {
  const { id, title, short_code, short_url, destination, labels, routing_rules, note, destination_status } =
    link;
  const state = judgeLink(link, Date.now());
  const name = title ?? `/${short_code}`;
  const [isRenaming, setRenaming] = useState(false);
  useEffect(() => {
    // Runs after `ScreenOutlet` has set its own title in the same task.
    queueMicrotask(() => {
      document.title = `${name} · Signpost`;
    });
  }, [name]);
  return (
    <>
      <div class={screenCss.head} data-ui="screen-head">
        <div class="row wrap">
          <h1>{name}</h1>
          <Badge tone={state.tone}>{state.word}</Badge>
        </div>
        <div class="row wrap">
          <a class={buttonCss.button} data-ui="button" href={`/qr?link=${id}`}>
            <Icon name="qr" />
            QR studio
          </a>
          {canEdit.value && (
            <Button icon="send" onClick={() => shareLinks([link])}>
              Share report
            </Button>
          )}
          {canEdit.value && (
            <a
              class={`${buttonCss.button} ${buttonCss.primary}`}
              data-ui="button"
              href={`/links?link=${id}`}
              aria-keyshortcuts="e"
            >
              <Icon name="edit" />
              Edit
              <KeyHint keys="e" />
            </a>
          )}
        </div>
      </div>
      <section class={css.facts} aria-label="Link details">
        <QrCard link={link} />
        <dl>
          <div>
            <dt>Short link</dt>
            <dd class="row wrap">
              <b class={css.short}>{short_url.replace(/^https?:\/\//, "")}</b>
              <span class="row">
                <CopyButton text={short_url} what="short URL" hasText />
                {canEdit.value && (
                  <Button size="s" icon="edit" onClick={() => setRenaming(true)}>
                    Rename
                  </Button>
                )}
                <a
                  class={`${buttonCss.button} ${buttonCss.s}`}
                  data-ui="button"
                  href={short_url}
                  target="_blank"
                  rel="noopener"
                >
                  <Icon name="external" size={16} />
                  Open
                </a>
              </span>
              <LinkAliases aliases={link.aliases} />
            </dd>
          </div>
          <div>
            <dt>Destination</dt>
            <dd>
              <a href={destination} target="_blank" rel="noopener noreferrer">
                {destination}
              </a>
              {destination_status === "broken" && <Badge tone="danger">Broken</Badge>}
              {routing_rules.length > 0 && (
                <span class="small muted">
                  {" "}
                  ({formatCount(routing_rules.length, "rule applies", "rules apply")} first)
                </span>
              )}
            </dd>
          </div>
          {labels.length > 0 && (
            <div>
              <dt>Labels</dt>
              <dd class="row wrap">
                {labels.map((label) => (
                  <LabelBadge key={label} label={label} />
                ))}
              </dd>
            </div>
          )}
          {listTimes(link).map(({ term, text }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
          {note && (
            <div>
              <dt>Note</dt>
              <dd class={css.note}>{note}</dd>
            </div>
          )}
        </dl>
      </section>
      {isRenaming && <RenameDialog link={link} onRenamed={onRenamed} onClose={() => setRenaming(false)} />}
    </>
  );
}

function listTimes(link: Schemas["Link"]): { term: string; text: string }[] {
  const { created_at, starts_at, expires_at, max_scans } = link;
  return [
    { term: "Created", text: formatTime(created_at) },
    ...(starts_at === null ? [] : [{ term: "Starts", text: formatTime(starts_at) }]),
    ...(expires_at === null ? [] : [{ term: "Expires", text: formatTime(expires_at) }]),
    ...(max_scans === null ? [] : [{ term: "Scan limit", text: formatCount(max_scans, "scan") }]),
  ];
}

function formatTime(iso: string): string {
  return new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
