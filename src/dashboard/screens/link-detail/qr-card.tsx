import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import linkCardCss from "../../components/link-card.module.css";
import { Menu } from "../../components/menu.tsx";
import { showToast } from "../../components/toast-list.ts";
import { api, asFault, callApi, type Schemas } from "../../data/calls.ts";
import { saveFile } from "../../data/save-file.ts";
import { useQrPicture } from "../links/use-qr-picture.ts";
import css from "./qr-card.module.css";

/** Download formats of the QR code. `width` is in pixels, `width_mm` in millimetres. */
const DOWNLOADS = [
  { label: "SVG", query: { format: "svg" } },
  { label: "PNG, 512 pixels", query: { format: "png", width: 512 } },
  { label: "PNG, 1,024 pixels", query: { format: "png", width: 1_024 } },
  { label: "PNG, 2,048 pixels", query: { format: "png", width: 2_048 } },
  { label: "PNG, 4,096 pixels", query: { format: "png", width: 4_096 } },
  { label: "PDF, 50 mm", query: { format: "pdf", width_mm: 50 } },
] as const;

type DownloadQuery = (typeof DOWNLOADS)[number]["query"];

/** QR code of a link. The picture is drawn in the browser; the download files come from the API. */
export function QrCard({ link: { id, short_url, short_code, qr_template_id } }: { link: Schemas["Link"] }) {
  const { address, isCompact } = useQrPicture(short_url, short_code, qr_template_id);
  const [isBusy, setBusy] = useState(false);
  const download = async (query: DownloadQuery) => {
    setBusy(true);
    try {
      saveFile(`${short_code}.${query.format}`, await readQrFile(id, { ...query, compact: isCompact }));
    } catch (fault) {
      showToast(asFault(fault).message);
    }
    setBusy(false);
  };
  return (
    <div class={css.card}>
      {address === null ? (
        <span
          class={linkCardCss.qrPlaceholder}
          data-ui="qr-placeholder"
          role="img"
          aria-label="QR code placeholder"
        />
      ) : (
        <img src={address} width={132} height={132} alt={`QR code of ${short_url}`} />
      )}
      <Menu
        label="QR code formats"
        groups={[
          DOWNLOADS.map(({ label, query }) => ({
            label,
            icon: "download" as const,
            onSelect: () => void download(query),
          })),
        ]}
      >
        {(trigger) => (
          <Button size="s" icon="download" isBusy={isBusy} {...trigger}>
            Download
          </Button>
        )}
      </Menu>
    </div>
  );
}

async function readQrFile(id: string, query: DownloadQuery & { compact: boolean }): Promise<Blob> {
  const params = { path: { link_id: id }, query };
  // The generated types declare images as strings.
  return (await callApi(api.GET("/v1/links/{link_id}/qr", { params, parseAs: "blob" }))) as unknown as Blob;
}
