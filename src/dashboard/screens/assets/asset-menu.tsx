import { navigate } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { canEdit } from "../../session/session.ts";
import { isLogo } from "../../uploads/asset-kind.ts";
import type { Asset } from "../../uploads/upload-file.ts";
import { copyAddress, publishAll } from "./asset-commands.ts";

interface AssetMenuProps {
  asset: Asset;
  onOpen: (id: string) => void;
  onRemove: (asset: Asset) => void;
}

/** Menu of actions for one asset. */
export function AssetMenu({ asset, onOpen, onRemove }: AssetMenuProps) {
  const { id, filename, public_url: url, status } = asset;
  const show: MenuItem[] = [{ label: "Details", icon: "info", onSelect: () => onOpen(id) }];
  if (url !== null) {
    show.push(
      { label: "Copy URL", icon: "copy", onSelect: () => void copyAddress(asset) },
      { label: "Open", icon: "external", onSelect: () => void window.open(url, "_blank", "noopener") },
    );
  }
  const changes: MenuItem[] = [];
  if (status === "confirmed" && url === null)
    changes.push({ label: "Publish", icon: "globe", onSelect: () => void publishAll([asset]) });
  if (url !== null && isLogo(asset)) {
    const design = `q4_eH_l${url}`;
    const studio = `/qr?${new URLSearchParams({ design })}`;
    changes.push({ label: "Use as QR code logo", icon: "qr", onSelect: () => navigate(studio) });
  }
  const remove = {
    label: "Delete",
    icon: "trash",
    isDanger: true,
    onSelect: () => onRemove(asset),
  } as const;
  const groups = canEdit.value ? [show, changes, [remove]] : [show];
  return (
    <Menu label={`Actions for ${filename}`} groups={groups.filter((group) => group.length > 0)}>
      {(trigger) => (
        <Button kind="plain" size="s" icon="more" aria-label={`Actions for ${filename}`} {...trigger} />
      )}
    </Menu>
  );
}
