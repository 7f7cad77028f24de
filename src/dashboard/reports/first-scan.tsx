import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount } from "../../core/format-count.ts";
import buttonCss from "../components/button.module.css";
import { CopyButton } from "../components/copy-button.tsx";
import { Icon } from "../components/icon.tsx";
import { EmptyState } from "../components/states.tsx";
import { announce } from "../components/toast-list.ts";
import { api, callApi, type Schemas } from "../data/calls.ts";
import css from "./first-scan.module.css";
import { refreshReports } from "./read-scans.ts";

const POLL_MS = 3_000;
/** Time for which the new count is shown before the report replaces this empty state. */
const MOMENT_MS = 2_000;
/** Maximum polls. The user has probably left by then. Returning to the page restarts the count. */
const POLLS_MAX = 200;

/** Empty state that explains scans: a counter moves as soon as the link's short URL is opened. */
export function FirstScan({ link }: { link: Schemas["Link"] }) {
  const count = useScanCount(link);
  return (
    <EmptyState
      title={count === link.scan_count ? "No scans yet" : "You got your first scan"}
      actions={
        <>
          <a
            class={`${buttonCss.button} ${buttonCss.primary}`}
            data-ui="button"
            href={link.short_url}
            target="_blank"
            rel="noopener"
          >
            <Icon name="external" size={18} />
            Open short link
          </a>
          <CopyButton text={link.short_url} what="short URL" hasText />
        </>
      }
    >
      Open <b>{link.short_url.replace(/^https?:\/\//, "")}</b> or scan its QR code with your phone. The
      counter updates within seconds.
      <span class={`numeric ${css.count}`} role="status" aria-label={formatCount(count, "scan")}>
        {count.toLocaleString("en-GB")}
      </span>
    </EmptyState>
  );
}

/** Polls a link's number of scans while the page is visible. Reloads the reports when the number changes. */
function useScanCount({ id, scan_count }: Schemas["Link"]): number {
  const [count, setCount] = useState(scan_count);
  const known = useRef(scan_count);
  useEffect(() => {
    let polls = 0;
    const read = async () => {
      if (document.visibilityState !== "visible" || ++polls > POLLS_MAX) return;
      // Ignores failures, because the next poll tries again.
      const body = await callApi(api.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } })).catch(
        () => null,
      );
      if (body === null || body.data.scan_count === known.current) return;
      known.current = body.data.scan_count;
      setCount(body.data.scan_count);
      announce(formatCount(body.data.scan_count, "scan"));
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
