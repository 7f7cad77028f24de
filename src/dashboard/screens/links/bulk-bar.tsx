import { useState } from "preact/hooks";
import { navigate } from "../../address/address.ts";
import bulkBarCss from "../../components/bulk-bar.module.css";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import { Progress } from "../../components/progress.tsx";
import { printSelection } from "../../data/print-selection.ts";
import { REPORT_LINKS_MAX } from "../../data/service-limits.ts";
import { shareLinks } from "../../shared-reports/sharing.ts";
import {
  type BulkCommand,
  deleteCommand,
  editCommand,
  labelCommand,
  setArchivedCommand,
  setEnabledCommand,
} from "./bulk-commands.ts";
import { LabelManyDialog } from "./bulk-dialogs.tsx";
import { bulkWork, stopWork } from "./bulk-progress.ts";
import { readAllShown, runOnLinks } from "./bulk-work.ts";
import { EditManyDialog } from "./edit-many-dialog.tsx";
import type { LinkQuery } from "./link-filters.ts";
import type { Link, LinkPage } from "./link-store.ts";
import { saveLinksCsv } from "./save-csv.ts";

interface BulkBarProps {
  chosen: ReadonlyMap<string, Link>;
  page: LinkPage;
  linkQuery: LinkQuery;
  onChoose: (chosen: ReadonlyMap<string, Link>) => void;
}

/** Bar below the list with the actions for selected links. A running action shows its progress here. */
export default function BulkBar(props: BulkBarProps) {
  return (
    <section class={bulkBarCss.bar} data-ui="bulk-bar" aria-label="Selected links">
      {bulkWork.value === null ? <Commands {...props} /> : <Work />}
    </section>
  );
}

/** Opens the QR studio with the selected links. */
function printLinks(links: readonly Link[]): void {
  printSelection.value = links;
  navigate("/qr?view=many");
}

function Work() {
  const work = bulkWork.value;
  if (work === null) return null;
  return (
    <>
      <span class={`numeric ${bulkBarCss.count}`}>
        {work.doing} {work.done.toLocaleString("en-GB")} of {work.total.toLocaleString("en-GB")}
      </span>
      <Progress label={work.doing} done={work.done + work.failed} total={work.total} />
      <Button size="s" onClick={stopWork}>
        Stop
      </Button>
    </>
  );
}

function Commands({ chosen, page, linkQuery, onChoose }: BulkBarProps) {
  const [isLabelling, setLabelling] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const links = [...chosen.values()];
  const run = async (command: BulkCommand) => {
    await runOnLinks(command, links);
    onChoose(new Map());
  };
  const chooseAll = async () => {
    const all = await readAllShown("Selecting", linkQuery, page.total);
    if (all !== null) onChoose(new Map(all.map((link) => [link.id, link])));
  };
  const hasMore = page.nextBefore !== null && chosen.size >= page.items.length && chosen.size < page.total;
  const share = { label: "Share report", icon: "send", onSelect: () => shareLinks(links) } as const;
  const save = { label: "Export CSV", icon: "download", onSelect: () => saveLinksCsv(links) } as const;
  const print = { label: "Create QR codes", icon: "qr", onSelect: () => printLinks(links) } as const;
  const isSomeEnabled = links.some(({ enabled }) => enabled);
  const isSomeCurrent = links.some(({ archived }) => !archived);
  return (
    <>
      <span class={`numeric ${bulkBarCss.count}`} role="status">
        {chosen.size.toLocaleString("en-GB")} selected
      </span>
      {hasMore && (
        <Button kind="plain" size="s" onClick={() => void chooseAll()}>
          Select all {page.total.toLocaleString("en-GB")}
          {page.isTotalCapped ? "+" : ""}
        </Button>
      )}
      <span class="row wrap push">
        <Button size="s" icon="edit" onClick={() => setEditing(true)}>
          Edit
        </Button>
        <Button size="s" icon="tag" onClick={() => setLabelling(true)}>
          Edit labels{" "}
        </Button>
        <Button size="s" icon="archive" onClick={() => void run(setArchivedCommand(isSomeCurrent))}>
          {isSomeCurrent ? "Archive" : "Unarchive"}
        </Button>
        <Button
          size="s"
          icon={isSomeEnabled ? "pause" : "play"}
          onClick={() => void run(setEnabledCommand(!isSomeEnabled))}
        >
          {isSomeEnabled ? "Disable" : "Enable"}
        </Button>
        <Menu
          label="More actions"
          groups={[
            links.length > REPORT_LINKS_MAX ? [print, save] : [share, print, save],
            [{ label: "Delete", icon: "trash", isDanger: true, onSelect: () => void run(deleteCommand()) }],
          ]}
        >
          {(trigger) => <Button size="s" icon="more" aria-label="More actions" {...trigger} />}
        </Menu>
        <Button
          kind="plain"
          size="s"
          icon="close"
          aria-label="Clear selection"
          onClick={() => onChoose(new Map())}
        />
      </span>
      {isEditing && (
        <EditManyDialog
          links={links}
          onClose={() => setEditing(false)}
          onApply={(edit) => void run(editCommand(edit))}
        />
      )}
      {isLabelling && (
        <LabelManyDialog
          links={links}
          onClose={() => setLabelling(false)}
          onApply={(added, removed) => void run(labelCommand(added, removed))}
        />
      )}
    </>
  );
}
