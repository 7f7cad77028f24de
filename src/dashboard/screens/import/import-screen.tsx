import { query, setQuery } from "../../address/address.ts";
import { Tabs } from "../../components/tabs.tsx";
import { ExportSection } from "./export-section.tsx";
import { IMPORT_TABS, readTab } from "./import-address.ts";

/** Import and export: links from other services, and everything as files. */
export default function ImportScreen() {
  const tab = readTab(query.value);
  return (
    <div class="screen">
      <div class="screen-head">
        <h1>Import and export</h1>
      </div>
      <Tabs
        label="Import and export"
        tabs={IMPORT_TABS}
        shown={tab}
        onShow={(name) => setQuery({ tab: name === "import" ? null : name })}
      >
        <ExportSection />
      </Tabs>
    </div>
  );
}
