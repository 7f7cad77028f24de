import { formatCount } from "../../../core/format-count.ts";
import { query, setQuery } from "../../address/address.ts";
import buttonCss from "../../components/button.module.css";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Icon } from "../../components/icon.tsx";
import linkCardCss from "../../components/link-card.module.css";
import { Menu } from "../../components/menu.tsx";
import { canEdit } from "../../session/session.ts";
import { LinkAliases } from "./link-aliases.tsx";
import css from "./link-head.module.css";
import type { Link } from "./link-store.ts";
import { QrPicture } from "./qr-picture.tsx";
import type { ShortHost } from "./short-host.ts";

interface LinkHeadProps {
  /** Null for a new link. */
  link: Link | null;
  /** Short code, or null if none is set yet. */
  code: string | null;
  hosts: readonly ShortHost[];
  /** Opens the dialog to rename the link. */
  onRename: () => void;
}

/** Card with the short URL and QR code of a link, and links to its QR design and analytics. */
export function LinkHead({ link, code, hosts, onRename }: LinkHeadProps) {
  const wanted = new URLSearchParams(query.value).get("host");
  const host = hosts.find(({ text }) => text === wanted) ?? hosts[0];
  const url = host?.url == null || code === null ? null : host.url + code;
  return (
    <div class={linkCardCss.card}>
      <QrPicture content={url} shortCode={code} templateId={link?.qr_template_id} name={code ?? "qr"} />
      <div class="stack tight">
        <span class="row">
          <span class="small muted">Short URL</span>
          {hosts.length > 1 && <HostMenu hosts={hosts} shown={host} />}
        </span>
        <span class={linkCardCss.address}>
          {host?.text ?? "/"}
          <b>{code ?? "…"}</b>
        </span>
        {link && <LinkAliases aliases={link.aliases} />}
        {link && url !== null && (
          <>
            <span class="row wrap">
              <CopyButton text={url} what="short URL" hasText />
              {canEdit.value && (
                <Button size="s" icon="edit" onClick={onRename}>
                  Rename
                </Button>
              )}
              <a class={`${buttonCss.button} ${buttonCss.s}`} data-ui="button" href={`/qr?link=${link.id}`}>
                <Icon name="qr" size={16} />
                Design QR code
              </a>
            </span>
            <a class={`small ${css.more}`} href={`/links/${link.id}`}>
              <Icon name="chart" size={15} />
              Analytics
              <span class="numeric muted">{formatCount(link.scan_count, "scan")}</span>
            </a>
          </>
        )}
      </div>
    </div>
  );
}

/**
 * Menu of the workspace's domains. All of them serve all links; the choice only affects which URL is copied
 * and drawn as a QR code.
 */
function HostMenu({ hosts, shown }: { hosts: readonly ShortHost[]; shown: ShortHost | undefined }) {
  const items = hosts.map((host, index) => ({
    label: host.text.replace(/\/$/, ""),
    isChosen: host === shown,
    onSelect: () => setQuery({ host: index === 0 ? null : host.text }),
  }));
  return (
    <Menu label="Domains" groups={[items]} heading="Links work on all your domains">
      {(trigger) => (
        <Button kind="plain" size="s" {...trigger}>
          Domain
          <Icon name="chevron" size={14} />
        </Button>
      )}
    </Menu>
  );
}
