import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { EmptyState } from "../components/states.tsx";
import { announce } from "../components/toast-list.ts";
import { api, callApi, type Schemas } from "../data/calls.ts";
import { refreshReports } from "./read-scans.ts";

const POLL_MS = 3_000;
/** Time for which the counter is seen, before the report takes its place. */
const MOMENT_MS = 2_000;
/** Time after which nobody is expected to look on. A return to the page begins anew. */
const POLLS_MAX = 200;

/** Teaches what a scan is with a link that has none: a counter moves as soon as its address is opened. */
export function FirstScan({ link }: { link: Schemas["Link"] }) {
  const count = useScanCount(link);
  return (
    <EmptyState
      title={count === link.scan_count ? "No scans yet" : "There it is"}
      actions={
        <>
          <a class="button primary" href={link.short_url} target="_blank" rel="noopener">
            <Icon name="external" size={18} />
            Open the short link
          </a>
          <CopyButton text={link.short_url} what="short URL" hasText />
        </>
      }
    >
      Open <b>{link.short_url.replace(/^https?:\/\//, "")}</b> yourself, or scan its code with a phone. This
      counter moves within seconds.
      <span class="first-count numeric" role="status" aria-label={`${count} scans`}>
        {count.toLocaleString("en-GB")}
      </span>
    </EmptyState>
  );
}

/** Follows the number of scans of a link while the page is visible. Reports are read again when it changes. */
function useScanCount({ id, scan_count }: Schemas["Link"]): number {
  const [count, setCount] = useState(scan_count);
  const known = useRef(scan_count);
  useEffect(() => {
    let polls = 0;
    const read = async () => {
      if (document.visibilityState !== "visible" || ++polls > POLLS_MAX) return;
      // The next poll asks again after a failure.
      const body = await callApi(api.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } })).catch(
        () => null,
      );
      if (body === null || body.data.scan_count === known.current) return;
      known.current = body.data.scan_count;
      setCount(body.data.scan_count);
      announce(`${body.data.scan_count} scans`);
      setTimeout(refreshReports, MOMENT_MS);
    };
    const handleReturn = () => {
      polls = 0;
      void read();
    };
    const timer = setInterval(read, POLL_MS);
    document.addEventListener("visibilitychange", handleReturn);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", handleReturn);
    };
  }, [id]);
  return count;
}
