import { useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { canEdit } from "../../session/session.ts";
import { showFault } from "./link-commands.ts";
import { createLink, showNewLink } from "./link-store.ts";

const EXAMPLE = {
  url: "https://en.wikipedia.org/wiki/Fingerpost",
  title: "Example: what is a signpost?",
  labels: ["example"],
};

/** Empty list: no links match the filters, or there are none yet and editors can create the first. */
export function NoLinks({ isFiltered }: { isFiltered: boolean }) {
  const [isBusy, setBusy] = useState(false);
  if (isFiltered) {
    return (
      <EmptyState
        title="No links match your filters"
        actions={
          <Button onClick={() => setQuery({ search: null, label: null, state: null })}>Clear filters</Button>
        }
      >
        Try a different search, or include archived links.
      </EmptyState>
    );
  }
  if (!canEdit.value)
    return (
      <EmptyState title="No links yet">Ask an editor or owner of this workspace to create one.</EmptyState>
    );
  const createExample = async () => {
    setBusy(true);
    try {
      const link = await createLink(EXAMPLE, crypto.randomUUID());
      showNewLink(link);
      setQuery({ link: link.id }, { push: true });
    } catch (fault) {
      showFault(fault);
    }
    setBusy(false);
  };
  return (
    <EmptyState
      title="Create your first link"
      actions={
        <>
          <Button kind="primary" icon="plus" onClick={() => setQuery({ link: "new" }, { push: true })}>
            Create link
          </Button>
          <Button isBusy={isBusy} onClick={() => void createExample()}>
            Use an example
          </Button>
        </>
      }
    >
      Paste a URL anywhere on this page, or create a link to get started. Every link comes with a QR code and
      analytics, and can redirect by country, device or language.
    </EmptyState>
  );
}
