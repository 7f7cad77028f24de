import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import { type Endpoint, setEndpointEnabled } from "./endpoint-store.ts";

interface EndpointMenuProps {
  endpoint: Endpoint;
  onDialog: (dialog: "rotate" | "delete") => void;
}

/** Menu of actions for an endpoint. */
export function EndpointMenu({ endpoint: { id, enabled }, onDialog }: EndpointMenuProps) {
  const changes = [
    { label: "Edit", icon: "edit", onSelect: () => setQuery({ panel: "edit" }, { push: true }) },
    {
      label: enabled ? "Disable" : "Enable",
      icon: enabled ? "pause" : "play",
      onSelect: () => void setEndpointEnabled(id, !enabled),
    },
    { label: "Rotate secret", icon: "lock", onSelect: () => onDialog("rotate") },
  ] as const;
  const remove = {
    label: "Delete",
    icon: "trash",
    isDanger: true,
    onSelect: () => onDialog("delete"),
  } as const;
  return (
    <Menu label="Actions for the endpoint" groups={[changes, [remove]]}>
      {(trigger) => <Button icon="more" aria-label="Actions for the endpoint" {...trigger} />}
    </Menu>
  );
}
