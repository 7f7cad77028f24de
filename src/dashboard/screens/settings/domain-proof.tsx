import { useState } from "preact/hooks";
import { formatProofName } from "../../../domains/hostname.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { FaultNotice, Notice } from "../../components/states.tsx";
import { announce, showToast } from "../../components/toast-list.ts";
import css from "./domain-proof.module.css";
import { checkDomain, type Domain } from "./domain-store.ts";

interface DomainProofProps {
  domain: Domain;
  canCheck: boolean;
}

/** DNS records that a pending domain needs, with a button to check them now. */
export function DomainProof({ domain: { id, hostname }, canCheck }: DomainProofProps) {
  const [isBusy, setBusy] = useState(false);
  const [reason, setReason] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const check = async () => {
    setBusy(true);
    setFault(null);
    try {
      const found = await checkDomain(id);
      setReason(found);
      if (found === null) showToast(`${hostname} is active`);
      else announce(found);
    } catch (thrown) {
      setFault(thrown);
      setReason(null);
    }
    setBusy(false);
  };
  return (
    <div class={`stack ${css.proof}`}>
      <p class="small">
        Add these records at the DNS provider for <b>{hostname}</b>. The first one proves that you own the
        domain. You can remove it once the domain is active.
      </p>
      <div class={css.records}>
        <DnsRecord type="TXT" name={formatProofName(hostname)} value={id} />
        <DnsRecord type="CNAME" name={hostname} value={null} />
      </div>
      {reason !== null && <Notice tone="warn">{reason}</Notice>}
      {fault !== null && <FaultNotice fault={fault} />}
      {canCheck && (
        <span class="row wrap">
          <Button size="s" icon="refresh" isBusy={isBusy} onClick={() => void check()}>
            Verify now
          </Button>
          <span class="small muted">
            Signpost also checks automatically, at least once an hour, for 7 days.
          </span>
        </span>
      )}
    </div>
  );
}

interface DnsRecordProps {
  type: string;
  name: string;
  /** Null if only the administrator can provide it. */
  value: string | null;
}

function DnsRecord({ type, name, value }: DnsRecordProps) {
  return (
    <dl class={css.record}>
      <div>
        <dt>Type</dt>
        <dd>{type}</dd>
      </div>
      <div>
        <dt>Name</dt>
        <dd class="row">
          <code>{name}</code>
          <CopyButton text={name} what={`${type} record name`} />
        </dd>
      </div>
      <div>
        <dt>Value</dt>
        <dd class="row">
          {value === null ? (
            <span class="muted">ask your administrator</span>
          ) : (
            <>
              <code>{value}</code>
              <CopyButton text={value} what={`${type} record value`} />
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}
