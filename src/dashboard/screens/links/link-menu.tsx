import { navigate } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import { canEdit } from "../../session/session.ts";
import { removeLink, toggleLink } from "./link-commands.ts";
import type { Link } from "./link-store.ts";

/** Menu of actions for one link. */
export function LinkMenu({ link, onOpen }: { link: Link; onOpen: (id: string) => void }) {
  const { enabled, archived, short_code, short_url } = link;
  const visit = {
    label: "Open short URL",
    icon: "external",
    onSelect: () => void window.open(short_url, "_blank", "noopener"),
  } as const;
  const open = {
    label: canEdit.value ? "Edit" : "Show",
    icon: "edit",
    onSelect: () => onOpen(link.id),
  } as const;
  const study = [
    { label: "Statistics", icon: "chart", onSelect: () => navigate(`/links/${link.id}`) },
    { label: "Design QR code", icon: "qr", onSelect: () => navigate(`/qr?link=${link.id}`) },
  ] as const;
  const changes = [
    {
      label: enabled ? "Disable" : "Enable",
      icon: enabled ? "pause" : "play",
      onSelect: () => void toggleLink(link, { enabled: !enabled }, enabled ? "disabled" : "enabled"),
    },
    {
      label: archived ? "Take out of archive" : "Archive",
      icon: "archive",
      onSelect: () =>
        void toggleLink(link, { archived: !archived }, archived ? "taken out of the archive" : "archived"),
    },
  ] as const;
  const remove = {
    label: "Delete",
    icon: "trash",
    isDanger: true,
    onSelect: () => removeLink(link),
  } as const;
  return (
    <Menu
      label={`Commands for ${short_code}`}
      groups={canEdit.value ? [[open, visit], study, changes, [remove]] : [[open, visit], study]}
    >
      {(trigger) => (
        <Button kind="plain" size="s" icon="more" aria-label={`Commands for ${short_code}`} {...trigger} />
      )}
    </Menu>
  );
}
