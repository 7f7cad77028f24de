import { query, setQuery } from "../../address/address.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { ListFoot } from "../../components/list-foot.tsx";
import { FaultNotice, Notice, Skeleton } from "../../components/states.tsx";
import { usePagedList } from "../../data/resources.ts";
import { useShortcuts } from "../../keyboard/shortcuts.ts";
import { workspace } from "../../session/session.ts";
import { AddDomainDialog } from "./add-domain-dialog.tsx";
import { DomainPanel } from "./domain-panel.tsx";
import { DomainProof } from "./domain-proof.tsx";
import { DOMAINS_KEY, type Domain, type DomainList, readDomains } from "./domain-store.ts";
import settingCss from "./setting.module.css";
import { SectionHead } from "./setting.tsx";

/**
 * Domains section: lists the domains with their status and DNS records, and lets owners add and change them.
 */
export function DomainsSection() {
  const list = usePagedList<DomainList>(DOMAINS_KEY, readDomains);
  const { value, fault, reload } = list;
  const isOwner = workspace.value?.role === "owner";
  const parameters = new URLSearchParams(query.value);
  const opened = value?.items.find(({ id }) => id === parameters.get("domain"));
  const add = () => isOwner && setQuery({ panel: "new" }, { push: true });
  useShortcuts([{ keys: "c", label: "Add domain", run: add }]);
  return (
    <section class="stack">
      <SectionHead
        title="Domains"
        text="Your links work on every active domain. Short URLs use the primary domain."
        action={
          isOwner && (
            <Button kind="primary" icon="plus" onClick={add} aria-keyshortcuts="c">
              Add domain
            </Button>
          )
        }
      />
      {!isOwner && <Notice>Only owners can add or change domains.</Notice>}
      {fault !== null && <FaultNotice fault={fault} onRetry={reload} />}
      <ul class={settingCss.cardList} aria-busy={value === undefined && fault === null ? "true" : undefined}>
        {value === undefined && fault === null && (
          <li>
            <Skeleton width="w-5" />
          </li>
        )}
        {value?.items.map((domain) => (
          <li key={domain.id}>
            <DomainLine domain={domain} />
            {domain.status === "pending" && <DomainProof domain={domain} canCheck={isOwner} />}
          </li>
        ))}
      </ul>
      {value && value.nextBefore !== null && (
        <div class="row small muted">
          <ListFoot list={list} noun="domain" />
        </div>
      )}
      {isOwner && parameters.get("panel") === "new" && <AddDomainDialog />}
      {opened && <DomainPanel key={opened.id} domain={opened} canChange={isOwner} />}
    </section>
  );
}

function DomainLine({ domain }: { domain: Domain }) {
  const { id, hostname, status, is_primary } = domain;
  const settings = [
    domain.root_url !== null && "root page",
    domain.not_found_url !== null && "unknown links",
    domain.expired_url !== null && "expired links",
    domain.apple_app_site_association !== null && "iOS app",
    domain.assetlinks !== null && "Android app",
  ].filter(Boolean);
  return (
    <>
      <Icon name="globe" />
      <div class="grow">
        <span class="row wrap">
          <b>{hostname}</b>
          {is_primary && <Badge tone="accent">Primary</Badge>}
          <Badge tone={status === "active" ? "good" : "warn"}>
            {status === "active" ? "Active" : "Waiting for DNS record"}
          </Badge>
        </span>
        {settings.length > 0 && <span class="small muted">Configured: {settings.join(", ")}</span>}
      </div>
      <Button
        size="s"
        aria-label={`Settings for ${hostname}`}
        onClick={() => setQuery({ domain: id }, { push: true })}
      >
        Settings
      </Button>
    </>
  );
}
