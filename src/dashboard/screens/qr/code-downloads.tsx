import { useState } from "preact/hooks";
import type { DesignInput } from "../../../qr/design.ts";
import type { ImageBox } from "../../../qr/frame.ts";
import { findModuleMaxPx } from "../../../qr/image-size.ts";
import type { QrSymbol } from "../../../qr/symbol.ts";
import buttonCss from "../../components/button.module.css";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Menu } from "../../components/menu.tsx";
import { announce, showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { saveFile } from "../../data/save-file.ts";
import css from "./code-downloads.module.css";
import { renderImage } from "./code-image.ts";
import { listPngWidths } from "./print-size.ts";

interface DownloadsProps {
  content: string;
  design: DesignInput;
  symbol: QrSymbol;
  /** Size of the image in modules. */
  box: ImageBox;
  /** SVG of the preview, and its blob URL. */
  svg: string;
  svgAddress: string | undefined;
  fileName: string;
}

/** Widths of PDF files in millimetres. */
const PDF_WIDTHS_MM = [20, 40, 80, 200] as const;
/** Preferred width of the copied image in pixels. */
const COPIED_PX = 1_024;

/** Buttons to download the code as SVG, PNG or PDF, and to copy it. */
export function CodeDownloads({ content, design, symbol, box, svg, svgAddress, fileName }: DownloadsProps) {
  const [busy, setBusy] = useState<"png" | "pdf" | "copy" | null>(null);
  const widths = listPngWidths(
    box.width,
    findModuleMaxPx(symbol.logoSide, design.frame === undefined ? null : box),
  );
  const run = async (kind: "png" | "pdf" | "copy", work: () => Promise<void>) => {
    setBusy(kind);
    try {
      await work();
    } catch (fault) {
      showToast(
        fault instanceof DOMException
          ? "This browser can't copy images. Download the file instead."
          : asFault(fault).message,
      );
    }
    setBusy(null);
  };
  const savePng = (width: number) =>
    run("png", async () => {
      saveFile(`${fileName}-${width}.png`, await renderImage(content, design, { format: "png", width }));
      announce(`Downloaded PNG (${width} pixels)`);
    });
  const savePdf = (width_mm: number) =>
    run("pdf", async () => {
      const name = `${fileName}-${width_mm}mm.pdf`;
      saveFile(name, await renderImage(content, design, { format: "pdf", width_mm }));
      announce(`Downloaded PDF (${width_mm} mm)`);
    });
  const copyPicture = () =>
    run("copy", async () => {
      const width = widths.findLast((other) => other <= COPIED_PX) ?? widths[0] ?? COPIED_PX;
      const picture = renderImage(content, design, { format: "png", width });
      // The clipboard gets a promise instead of the image. Browsers only allow a write during a click, which
      // would be over once the image is rendered.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
      showToast("Copied as PNG");
    });
  const copyText = () =>
    run("copy", async () => {
      await navigator.clipboard.writeText(svg);
      showToast("Copied as SVG");
    });
  const pngs = widths.map((width) => ({
    label: `${width.toLocaleString("en-GB")} pixels`,
    icon: "download" as const,
    onSelect: () => void savePng(width),
  }));
  const pdfs = PDF_WIDTHS_MM.map((width) => ({
    label: `${width / 10} cm`,
    icon: "download" as const,
    onSelect: () => void savePdf(width),
  }));
  const copies = [
    { label: "PNG", icon: "image", onSelect: () => void copyPicture() },
    { label: "SVG", icon: "copy", onSelect: () => void copyText() },
  ] as const;
  return (
    <div class={css.downloads}>
      <a
        class={`${buttonCss.button} ${buttonCss.primary}`}
        data-ui="button"
        href={svgAddress ?? ""}
        download={`${fileName}.svg`}
      >
        <Icon name="download" />
        SVG
      </a>
      <Menu label="PNG" groups={[pngs]} heading="Width">
        {(trigger) => (
          <Button isBusy={busy === "png"} {...trigger}>
            PNG
            <Icon name="chevron" size={16} />
          </Button>
        )}
      </Menu>
      <Menu label="PDF" groups={[pdfs]} heading="Width">
        {(trigger) => (
          <Button isBusy={busy === "pdf"} {...trigger}>
            PDF
            <Icon name="chevron" size={16} />
          </Button>
        )}
      </Menu>
      <Menu label="Copy" groups={[copies]}>
        {(trigger) => (
          <Button icon="copy" isBusy={busy === "copy"} {...trigger}>
            Copy
          </Button>
        )}
      </Menu>
    </div>
  );
}
