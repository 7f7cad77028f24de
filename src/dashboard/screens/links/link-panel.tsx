import { useEffect, useState } from "preact/hooks";
import { query } from "../../address/address.ts";
import { Dialog } from "../../components/dialog.tsx";
import { FaultNotice, Skeleton } from "../../components/states.tsx";
import { LinkForm } from "./link-form.tsx";
import { findKnownLink, type Link, type LinkPage, readLink } from "./link-store.ts";
import { closePanel } from "./use-link-draft.ts";

interface LinkPanelProps {
  /** Id of the link, or `new`. */
  id: string;
  page: LinkPage | undefined;
}

/** Panel that creates or edits a link. It loads the link if the list doesn't contain it. */
export default function LinkPanel({ id, page }: LinkPanelProps) {
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
  if (isNew || link !== null) {
    const destination = isNew ? new URLSearchParams(query.peek()).get("url") : null;
    return (
      <LinkForm key={link?.id} id={id} link={link} page={page} destination={destination} onSaved={setLink} />
    );
  }
  return (
    <Dialog kind="panel" title="Link" onClose={closePanel}>
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
