import type { IconName } from "../components/icon.tsx";
import { Icon } from "../components/icon.tsx";
import initialCss from "../components/initial.module.css";
import { Menu } from "../components/menu.tsx";
import { chooseTheme, person, signOut, theme } from "../session/session.ts";
import { THEMES, type ThemeChoice } from "../session/theme-choice.ts";
import switcherCss from "./switcher.module.css";

export const THEME_ICONS: Record<ThemeChoice, IconName> = { system: "monitor", light: "sun", dark: "moon" };
export const THEME_NAMES: Record<ThemeChoice, string> = {
  system: "System theme",
  light: "Light theme",
  dark: "Dark theme",
};

/** Path of the app host that redirects to the guides and the API reference. */
export const DOCS_PATH = "/docs";

/** Menu of the signed-in person, with theme, help and sign-out. */
export function PersonMenu({ onHelp }: { onHelp: () => void }) {
  const shown = person.value;
  if (shown === null) return null;
  const themes = THEMES.map((choice) => ({
    label: THEME_NAMES[choice],
    icon: THEME_ICONS[choice],
    isChosen: theme.value === choice,
    onSelect: () => chooseTheme(choice),
  }));
  const help = { label: "Keyboard shortcuts", icon: "keyboard", onSelect: onHelp } as const;
  const docs = {
    label: "Documentation",
    icon: "external",
    onSelect: () => void window.open(DOCS_PATH, "_blank", "noopener"),
  } as const;
  const out = { label: "Sign out", icon: "sign-out", onSelect: () => void signOut() } as const;
  return (
    <Menu label="Account menu" groups={[themes, [docs, help], [out]]} heading={shown.email}>
      {(trigger) => (
        <button type="button" class={switcherCss.switcher} {...trigger}>
          <span class={`${initialCss.initial} ${initialCss.round}`} aria-hidden="true">
            {[...(shown.name || shown.email)][0]}
          </span>
          <span class="one-line">{shown.name || shown.email}</span>
          <span class="push">
            <Icon name="chevron" size={16} />
          </span>
        </button>
      )}
    </Menu>
  );
}
