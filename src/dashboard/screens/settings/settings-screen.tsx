import type { ComponentType } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { path } from "../../address/address.ts";
import screenCss from "../../components/screen.module.css";
import tabsCss from "../../components/tabs.module.css";
import { AuditSection } from "./audit-section.tsx";
import { DomainsSection } from "./domains-section.tsx";
import { KeysSection } from "./keys-section.tsx";
import { PeopleSection } from "./people-section.tsx";
import { ReportsSection } from "./reports-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { readSection, SETTINGS_SECTIONS, type SettingsSection } from "./settings-sections.ts";
import { TrashSection } from "./trash-section.tsx";
import { UsageSection } from "./usage-section.tsx";
import { WorkspaceSection } from "./workspace-section.tsx";

const SECTIONS: Record<SettingsSection, ComponentType> = {
  workspace: WorkspaceSection,
  usage: UsageSection,
  domains: DomainsSection,
  reports: ReportsSection,
  keys: KeysSection,
  people: PeopleSection,
  sessions: SessionsSection,
  trash: TrashSection,
  audit: AuditSection,
};

/** Settings of the workspace and of the user. The URL's path determines which section is shown. */
export default function SettingsScreen() {
  const shown = readSection(path.value);
  const Section = SECTIONS[shown];
  const tabs = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [shown]);
  return (
    <div class={screenCss.screen} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <h1>Settings</h1>
      </div>
      <nav ref={tabs} class={tabsCss.tabs} aria-label="Settings">
        {SETTINGS_SECTIONS.map(({ name, title }) => (
          <a
            key={name}
            class={tabsCss.tab}
            href={`/settings/${name}`}
            aria-current={name === shown ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <Section />
    </div>
  );
}
