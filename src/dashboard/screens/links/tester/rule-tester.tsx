import { useEffect, useRef, useState } from "preact/hooks";
import { query, setQuery } from "../../../address/address.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice, Notice, Skeleton } from "../../../components/states.tsx";
import { announce } from "../../../components/toast-list.ts";
import { api, callApi, type Schemas } from "../../../data/calls.ts";
import { useResource } from "../../../data/resources.ts";
import { canEdit } from "../../../session/session.ts";
import type { Link } from "../link-store.ts";
import { TestResult } from "./test-result.tsx";
import { describeOutcome } from "./tester-texts.ts";
import { formatVisitor, readVisitor, type TestVisitor, toVisitorBody } from "./tester-visitor.ts";
import { VisitorFields } from "./visitor-fields.tsx";

/** Delay after the last keystroke before the visitor is sent to the API. */
const PAUSE_MS = 220;

interface RuleTesterProps {
  link: Link;
  /** True if the form has unsaved changes. The test uses the stored link and ignores them. */
  isChanged: boolean;
  onSave: () => Promise<void>;
}

/**
 * Form that describes a visitor, and what this visitor gets and why. The visitor is kept in the page's URL.
 */
export default function RuleTester({ link, isChanged, onSave }: RuleTesterProps) {
  const visitor = readVisitor(new URLSearchParams(query.value).get("as") ?? "");
  const typed = JSON.stringify(toVisitorBody(visitor));
  const body = usePaused(typed);
  const test = useResource(`resolve/${link.id}/${link.updated_at}/${body}`, () => resolve(link.id, body));
  const last = useRef<Schemas["ResolvedLink"]>(undefined);
  if (test.value !== undefined) last.current = test.value;
  const result = last.current;
  useEffect(() => {
    if (test.value) announce(`${describeOutcome(test.value).title} ${test.value.destination ?? ""}`);
  }, [test.value]);
  const change = (changed: Partial<TestVisitor>) => {
    setQuery({ as: formatVisitor({ ...visitor, ...changed }) });
  };
  return (
    <div class="stack">
      {isChanged && (
        <Notice
          action={
            canEdit.value && (
              <Button size="s" onClick={() => void onSave()}>
                Save
              </Button>
            )
          }
        >
          This test doesn't include your unsaved changes.
        </Notice>
      )}
      {test.fault !== null && <FaultNotice fault={test.fault} onRetry={test.reload} />}
      {result ? (
        <TestResult link={link} result={result} isWaiting={test.isLoading || body !== typed} />
      ) : (
        test.fault === null && <Skeleton width="w-9" />
      )}
      <VisitorFields visitor={visitor} onChange={change} />
    </div>
  );
}

async function resolve(id: string, body: string): Promise<Schemas["ResolvedLink"]> {
  const options = {
    params: { path: { link_id: id } },
    body: JSON.parse(body) as Schemas["VisitorDescription"],
  };
  const { data } = await callApi(api.POST("/v1/links/{link_id}/resolve", options));
  return data;
}

/** Debounces a value by {@link PAUSE_MS}. The first value is returned immediately. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setPaused, PAUSE_MS, value);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
