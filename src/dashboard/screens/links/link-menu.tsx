import { navigate } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import { canEdit } from "../../session/session.ts";
import { shareLinks } from "../../shared-reports/sharing.ts";
import { toggleLink } from "./link-commands.ts";
import type { Link } from "./link-store.ts";

/** Menu of actions for one link. */
export function LinkMenu({ link, onOpen }: { link: Link; onOpen: (id: string) => void }) {
  const { enabled, archived, short_code, short_url } = link;
  const visit = {
    label: "Open short link",
    icon: "external",
    onSelect: () => void window.open(short_url, "_blank", "noopener"),
  } as const;
  const open = {
    label: canEdit.value ? "Edit" : "View",
    icon: "edit",
    onSelect: () => onOpen(link.id),
  } as const;
  const duplicate = {
    label: "Duplicate",
    icon: "copy",
    onSelect: () => void import("./use-link-draft.ts").then((module) => module.duplicateLink(link)),
  } as const;
  const study = [
    { label: "View analytics", icon: "chart", onSelect: () => navigate(`/links/${link.id}`) },
    { label: "Design QR code", icon: "qr", onSelect: () => navigate(`/qr?link=${link.id}`) },
  ] as const;
  const share = { label: "Share report", icon: "send", onSelect: () => shareLinks([link]) } as const;
  const changes = [
    {
      label: enabled ? "Disable" : "Enable",
      icon: enabled ? "pause" : "play",
      onSelect: () => void toggleLink(link, { enabled: !enabled }, enabled ? "disabled" : "enabled"),
    },
    {
      label: archived ? "Unarchive" : "Archive",
      icon: "archive",
      onSelect: () => void toggleLink(link, { archived: !archived }, archived ? "unarchived" : "archived"),
    },
  ] as const;
  const remove = {
    label: "Delete",
    icon: "trash",
    isDanger: true,
    onSelect: () => void import("./bulk-work.ts").then((module) => module.deleteLinks([link])),
  } as const;
  return (
    <Menu
      label={`Actions for ${short_code}`}
      groups={
        canEdit.value
          ? [[open, visit, duplicate], [...study, share], changes, [remove]]
          : [[open, visit], study]
      }
    >
      {(trigger) => (
        <Button kind="plain" size="s" icon="more" aria-label={`Actions for ${short_code}`} {...trigger} />
      )}
    </Menu>
  );
}
