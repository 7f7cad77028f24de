import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import cardCss from "../../components/card.module.css";
import { CodeBlock } from "../../components/code-block.tsx";
import { DropZone } from "../../components/drop-zone.tsx";
import { TileChoice } from "../../components/tile-choice.tsx";
import { announce } from "../../components/toast-list.ts";
import { saveFile } from "../../data/save-file.ts";
import type { SourceChoice } from "./import-address.ts";
import css from "./import-start.module.css";
import { planFault } from "./import-store.ts";
import { PlanFaultNotice } from "./plan-fault-notice.tsx";
import { chooseFile, chooseText } from "./plan-file.ts";
import { SAMPLE_NAME, SAMPLE_TEXT } from "./sample-file.ts";
import { describeSource, SOURCE_TILES } from "./source-tiles.ts";

/** First step of an import: choosing the file and the service that it comes from. */
export function ImportStart({ source }: { source: SourceChoice }) {
  return (
    <div class={css.start}>
      {planFault.value !== null && <PlanFaultNotice fault={planFault.value} />}
      <DropZone
        label="Choose a file"
        accept=".csv,.json,.txt,.tsv,text/csv,application/json,text/plain"
        isSingle
        onFiles={([file]) => file && void chooseFile(file)}
      >
        or drag it anywhere on this page. CSV or JSON, up to 64 MiB. You can review the result before anything
        is imported.
      </DropZone>
      <section class="stack tight">
        <TileChoice
          legend="Where are you importing from?"
          tiles={SOURCE_TILES}
          value={source}
          onChange={(value) => setQuery({ source: value === "auto" ? null : value })}
        />
        <p class="small muted" aria-live="polite">
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
    announce(`Saved ${SAMPLE_NAME}`);
  };
  return (
    <section class={`stack ${cardCss.card}`}>
      <div>
        <h2>Don't have a file yet?</h2>
        <p class="small muted">
          A CSV file from any spreadsheet works. Only the destination column is required; missing short codes
          are generated.
        </p>
      </div>
      <CodeBlock text={SAMPLE_TEXT.trimEnd()} what="sample file" />
      <div class="row wrap">
        <Button onClick={() => chooseText(SAMPLE_NAME, SAMPLE_TEXT)}>Preview import</Button>
        <Button kind="plain" icon="download" onClick={save}>
          Download sample
        </Button>
      </div>
    </section>
  );
}
