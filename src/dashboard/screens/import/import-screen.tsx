import { query, setQuery } from "../../address/address.ts";
import screenCss from "../../components/screen.module.css";
import { Notice } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { canEdit } from "../../session/session.ts";
import { ExportSection } from "./export-section.tsx";
import { IMPORT_TABS, readTab } from "./import-address.ts";
import { ImportSection } from "./import-section.tsx";

/** Screen to import links from other services and to export data. Viewers see only the export. */
export default function ImportScreen() {
  const tab = readTab(query.value);
  return (
    <div class={screenCss.screen} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <h1>Import and export</h1>
      </div>
      {canEdit.value ? (
        <Tabs
          label="Import and export"
          tabs={IMPORT_TABS}
          shown={tab}
          onShow={(name) => setQuery({ tab: name === "import" ? null : name })}
        >
          {tab === "import" ? <ImportSection /> : <ExportSection />}
        </Tabs>
      ) : (
        <>
          <Notice>You have view-only access. Ask an editor or owner to import links.</Notice>
          <ExportSection />
        </>
      )}
    </div>
  );
}
