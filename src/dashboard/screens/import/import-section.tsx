import { useEffect, useMemo } from "preact/hooks";
import type { PlannedRow } from "../../../client/import/plan-import.ts";
import { formatVerdict, judgeCodes } from "../../../client/import/printed-codes.ts";
import { formatCount } from "../../../core/format-count.ts";
import { query, setQuery } from "../../address/address.ts";
import { Progress } from "../../components/progress.tsx";
import { Notice, Skeleton } from "../../components/states.tsx";
import { announce } from "../../components/toast-list.ts";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { ColumnMapper } from "./column-mapper.tsx";
import { FileBar } from "./file-bar.tsx";
import { type ImportChoices, readChoices } from "./import-address.ts";
import { ImportBar } from "./import-bar.tsx";
import type { FileColumns } from "./import-engine.ts";
import { ImportOptions } from "./import-options.tsx";
import { ImportStart } from "./import-start.tsx";
import {
  chosenColumns,
  chosenFile,
  importWork,
  loadEngine,
  planFault,
  plannedFile,
  shownResults,
  summary,
  totals,
} from "./import-store.ts";
import { ImportSummary } from "./import-summary.tsx";
import { listPlanWarnings } from "./import-warnings.ts";
import { PlanFaultNotice } from "./plan-fault-notice.tsx";
import { planFile } from "./plan-file.ts";
import { describeTotals, type Totals } from "./plan-lines.ts";
import { PlanTable, PlanTotals } from "./plan-table.tsx";

/** Import tab: the chosen file, the plan for its rows, and the results. */
export function ImportSection() {
  const choices = readChoices(query.value);
  const file = chosenFile.value;
  const plan = () => planFile({ ...choices, source: choices.source === "auto" ? undefined : choices.source });
  // Preloads the import code, since the user is about to choose a file.
  useEffect(() => void loadEngine().catch(() => {}), []);
  useEffect(
    () => void plan(),
    [file, chosenColumns.value, choices.source, choices.onConflict, choices.labels.join()],
  );
  if (file === null) return <ImportStart source={choices.source} />;
  const planned = plannedFile.value;
  // A table has no useful plan until its destination column is known.
  const isReadable = planned !== null && isMapped(planned.read.columns);
  const isFixed = importWork.value?.kind === "running" || summary.value !== null;
  return (
    <div class="stack">
      <FileBar
        file={file}
        choice={choices.source}
        source={planned?.read.source ?? null}
        rowCount={isReadable ? planned.plan.rows.length : null}
        isFixed={isFixed}
      />
      {planFault.value !== null && <PlanFaultNotice fault={planFault.value} onRetry={() => void plan()} />}
      {planned?.read.columns && !isFixed && (
        <ColumnMapper
          columns={planned.read.columns}
          onChange={(map) => {
            chosenColumns.value = map;
          }}
        />
      )}
      {!isFixed && isReadable && <ImportOptions {...choices} />}
      {(isReadable || planned === null) && <Plan choices={choices} />}
    </div>
  );
}

function isMapped(columns: FileColumns | null): boolean {
  return columns === null || columns.map.url !== undefined;
}

async function readUsage(): Promise<Schemas["Usage"]> {
  return (await callApi(api.GET("/v1/workspace/usage"))).data;
}

/** Planned or actual result of each row, with the button that starts the import. */
function Plan({ choices }: { choices: ImportChoices }) {
  const usage = useResource<Schemas["Usage"]>("workspace-usage", readUsage);
  const counted = totals.value;
  const planned = plannedFile.value;
  const work = importWork.value;
  const end = summary.value;
  const isPlanned = planned !== null && work === null && end === null;
  useEffect(() => {
    if (isPlanned && counted !== null) announce(describeTotals(counted));
  }, [planned, isPlanned]);
  if (planned === null || counted === null) return <Waiting />;
  const warnings =
    usage.value === undefined || end !== null || work?.kind === "running"
      ? []
      : listPlanWarnings(usage.value, planned.plan.rows);
  const hasBulk = !warnings.some(({ subject }) => subject === "bulk");
  const left = counted.create + counted.failed;
  return (
    <>
      {end !== null && <ImportSummary summary={end} totals={counted} labels={choices.labels} />}
      <PrintedCodes rows={planned.plan.rows} />
      {warnings.map(({ subject, text }) => (
        <Notice key={subject} tone="warn">
          {text} <a href="/settings/usage">View plan and usage</a>
        </Notice>
      ))}
      {work !== null && work.kind !== "running" && <Waiting />}
      <PlanTotals
        totals={counted}
        shown={choices.shown}
        onShow={(filter) => setQuery({ show: filter === "all" ? null : filter })}
      />
      <PlanTable
        rows={planned.plan.rows}
        results={shownResults.value}
        filter={choices.shown}
        count={countShown(counted, choices)}
      />
      {(end === null || left > 0) && (
        <ImportBar count={left} obstacle={findObstacle(counted, choices, hasBulk)} isFurther={end !== null} />
      )}
    </>
  );
}

/** Notice whether the codes that were printed with the other service keep working. */
function PrintedCodes({ rows }: { rows: readonly PlannedRow[] }) {
  const verdict = useMemo(() => judgeCodes(rows), [rows]);
  const text = formatVerdict(verdict);
  if (text === null) return null;
  const isGood = verdict.lost.length === 0;
  return (
    <Notice tone={isGood ? "plain" : "danger"}>
      {isGood ? `${text}.` : `${text}. The rows with a conflict or an error say why.`}
    </Notice>
  );
}

/** Shows that the file is being read or that its codes are being checked. */
function Waiting() {
  const work = importWork.value;
  if (work === null) return null;
  const isLookUp = work.kind === "planning" && work.total > 0;
  return (
    <div class="stack tight" aria-busy="true">
      <p class="small muted numeric">
        {isLookUp
          ? `Checking short codes: ${work.done.toLocaleString("en-GB")} of ${work.total.toLocaleString("en-GB")}`
          : "Reading file…"}
      </p>
      {isLookUp ? (
        <Progress label="Checking short codes" done={work.done} total={work.total} />
      ) : (
        <>
          <Skeleton width="w-9" />
          <Skeleton width="w-7" />
        </>
      )}
    </div>
  );
}

function countShown(counted: Totals, { shown }: ImportChoices): number {
  return shown === "all" ? Object.values(counted).reduce((sum, count) => sum + count, 0) : counted[shown];
}

function findObstacle(counted: Totals, { onConflict }: ImportChoices, hasBulk: boolean): string {
  if (!hasBulk) return "Not included in your plan";
  if (onConflict === "fail" && counted.conflict > 0)
    return formatCount(counted.conflict, "row has a conflict", "rows have conflicts");
  return counted.create + counted.failed === 0 ? "Nothing to import" : "";
}
