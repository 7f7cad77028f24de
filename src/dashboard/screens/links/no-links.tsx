import { useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { canEdit } from "../../session/session.ts";
import { showFault } from "./link-commands.ts";
import { createLink, showNewLink } from "./link-store.ts";

const EXAMPLE = {
  url: "https://en.wikipedia.org/wiki/Fingerpost",
  title: "An example: what a signpost is",
  labels: ["example"],
};

/** Empty list: no links match the filters, or there are none yet and editors can create the first. */
export function NoLinks({ isFiltered }: { isFiltered: boolean }) {
  const [isBusy, setBusy] = useState(false);
  if (isFiltered) {
    return (
      <EmptyState
        title="No link fits"
        actions={
          <Button onClick={() => setQuery({ search: null, label: null, state: null })}>Show all links</Button>
        }
      >
        Look for another part of the code, the destination or the title, or for links in the archive.
      </EmptyState>
    );
  }
  if (!canEdit.value)
    return <EmptyState title="No links yet">An editor of this workspace can create them.</EmptyState>;
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
      title="Your first link"
      actions={
        <>
          <Button kind="primary" icon="plus" onClick={() => setQuery({ link: "new" }, { push: true })}>
            Create link
          </Button>
          <Button isBusy={isBusy} onClick={() => void createExample()}>
            Try it with an example
          </Button>
        </>
      }
    >
      Paste an address anywhere on this page, or begin here: a short address leads wherever you say, by
      country, device or language if you like. Each comes with a QR code, and you see who scans it.
    </EmptyState>
  );
}
