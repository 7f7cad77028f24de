import { useEffect } from "preact/hooks";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import type { ShownResource } from "../../data/resources.ts";
import { useResource } from "../../data/resources.ts";
import { useScanSeries } from "../../reports/read-scans.ts";
import { readSubject } from "../../reports/report-state.ts";
import type { ScanSeries } from "../../reports/scan-series.ts";

/** Link to compare with, and its scans. Parts that haven't loaded yet are undefined. */
export interface ComparedLink {
  id: string;
  link: Schemas["Link"] | undefined;
  series: ShownResource<ScanSeries>;
  /** Error of the first read that failed, or null. */
  fault: unknown;
}

interface ComparedLinkProps {
  id: string;
  onRead: (compared: ComparedLink) => void;
}

/**
 * Loads a link and its scans while mounted, and passes them to `onRead`. It renders nothing, so that removing
 * it ends the comparison without mounting the main link's report again.
 */
export function ComparedLinkReader({ id, onRead }: ComparedLinkProps) {
  const { value: link, fault } = useResource(`link ${id}`, async () => {
    const { data } = await callApi(api.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } }));
    return data;
  });
  const series = useScanSeries(readSubject(id));
  useEffect(() => {
    onRead({ id, link, series, fault: fault ?? series.fault });
  }, [id, link, series.value, series.isStale, fault, series.fault]);
  return null;
}
