import { Icon } from "../components/icon.tsx";
import initialCss from "../components/initial.module.css";
import { Menu } from "../components/menu.tsx";
import { Skeleton } from "../components/states.tsx";
import { person, switchWorkspace, workspace } from "../session/session.ts";
import switcherCss from "./switcher.module.css";

/** Name of the current workspace, with a menu for switching to another one. */
export function WorkspaceSwitcher() {
  const shown = workspace.value;
  const others = person.value?.workspaces ?? [];
  if (shown === null) {
    return (
      <div class={`${switcherCss.switcher} ${switcherCss.framed}`}>
        <Skeleton width="w-7" />
      </div>
    );
  }
  const label = (
    <>
      <span class={initialCss.initial} aria-hidden="true">
        {[...shown.name][0]}
      </span>
      <span class="one-line">
        <b class="one-line">{shown.name}</b>
        <span class="muted">
          {shown.plan} · {shown.role}
        </span>
      </span>
    </>
  );
  if (others.length < 2) return <div class={`${switcherCss.switcher} ${switcherCss.framed}`}>{label}</div>;
  const items = others.map(({ slug, name }) => ({
    label: name,
    isChosen: slug === shown.slug,
    onSelect: () => slug !== shown.slug && void switchWorkspace(slug),
  }));
  return (
    <Menu label="Workspaces" groups={[items]} heading="Workspaces">
      {(trigger) => (
        <button type="button" class={`${switcherCss.switcher} ${switcherCss.framed}`} {...trigger}>
          {label}
          <span class="push">
            <Icon name="chevron" size={16} />
          </span>
        </button>
      )}
    </Menu>
  );
}
