import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { DropZone } from "../../components/drop-zone.tsx";
import { TileChoice } from "../../components/tile-choice.tsx";
import { announce } from "../../components/toast-list.ts";
import { saveFile } from "../../data/save-file.ts";
import type { SourceChoice } from "./import-address.ts";
import { planFault } from "./import-store.ts";
import { PlanFaultNotice } from "./plan-fault-notice.tsx";
import { chooseFile, chooseText } from "./plan-file.ts";
import { SAMPLE_NAME, SAMPLE_TEXT } from "./sample-file.ts";
import { describeSource, SOURCE_TILES } from "./source-tiles.ts";

/** First step of an import: choosing the file and the service that it comes from. */
export function ImportStart({ source }: { source: SourceChoice }) {
  return (
    <div class="import-start">
      {planFault.value !== null && <PlanFaultNotice fault={planFault.value} />}
      <DropZone
        label="Choose a file"
        accept=".csv,.json,.txt,.tsv,text/csv,application/json,text/plain"
        isSingle
        onFiles={([file]) => file && void chooseFile(file)}
      >
        or drop it anywhere here: CSV or JSON, up to 64 MiB. You see what would happen before anything is
        made.
      </DropZone>
      <section class="stack tight">
        <TileChoice
          legend="Where do your links come from?"
          tiles={SOURCE_TILES}
          value={source}
          onChange={(value) => setQuery({ source: value === "auto" ? null : value })}
        />
        <p class="small muted source-hint" aria-live="polite">
          {describeSource(source)}
        </p>
      </section>
      <Sample />
    </div>
  );
}

/** Sample file that can be imported as it is or downloaded. */
function Sample() {
  const save = () => {
    saveFile(SAMPLE_NAME, new Blob([SAMPLE_TEXT], { type: "text/csv" }));
    announce(`${SAMPLE_NAME} was saved`);
  };
  return (
    <section class="card import-sample stack">
      <div>
        <h2>No file at hand?</h2>
        <p class="small muted">
          A table like this one is enough, from any spreadsheet. Only the address is needed; a row without a
          short code gets one.
        </p>
      </div>
      <CodeBlock text={SAMPLE_TEXT.trimEnd()} what="sample of a file" />
      <div class="row wrap">
        <Button onClick={() => chooseText(SAMPLE_NAME, SAMPLE_TEXT)}>See what it would do</Button>
        <Button kind="plain" icon="download" onClick={save}>
          Save it as a file
        </Button>
      </div>
    </section>
  );
}
