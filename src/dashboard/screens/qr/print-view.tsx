import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/states.tsx";
import { RangeInput } from "./design-fields.tsx";
import { judgePrint, PRINT_MAX_MM, PRINT_MIN_MM } from "./print-size.ts";

interface PrintProps {
  widthMm: number;
  /** Modules per side, the margin included. */
  modules: number;
}

/** Width of the printed code, and what it means. */
export function PrintFields({ widthMm, modules }: PrintProps) {
  const { moduleMm, distanceCm, recommendedMm, isSmall } = judgePrint(widthMm, modules);
  const setWidth = (mm: number) => setQuery({ mm: String(mm) });
  return (
    <>
      <RangeInput
        label="Width"
        value={widthMm}
        min={PRINT_MIN_MM}
        max={PRINT_MAX_MM}
        text={`${widthMm} mm`}
        hint={`A module is ${moduleMm} mm wide. Phones read the code from up to ${distanceCm} cm.`}
        onInput={setWidth}
      />
      {isSmall && (
        <Notice
          tone="warn"
          action={
            <Button size="s" onClick={() => setWidth(recommendedMm)}>
              Enlarge to {recommendedMm} mm
            </Button>
          }
        >
          <p>
            {recommendedMm > 20
              ? `This code has many modules. Below ${recommendedMm / 10} cm, they are too small for printers and cameras.`
              : "Below 2 cm, many phones do not focus on the code."}
          </p>
        </Notice>
      )}
      <ol class="print-steps small">
        <li>Print this page without scaling (“100 %” or “actual size”).</li>
        <li>Measure the line below the code: it is 50 mm long.</li>
        <li>Scan the code with an old phone, from where people will stand, in their light.</li>
      </ol>
      <div class="row">
        <Button kind="primary" icon="print" onClick={() => print()}>
          Print the test sheet
        </Button>
      </div>
    </>
  );
}

interface SheetProps {
  widthMm: number;
  content: string;
  address: string | undefined;
}

/** Smaller codes on the sheet, to find out how small is still good. */
const COMPARED_MM = [15, 20, 30] as const;

/** Sheet with the code in its real size, which is what gets printed. */
export function PrintSheet({ widthMm, content, address }: SheetProps) {
  return (
    <div class="print-sheet">
      <PrintedCode widthMm={widthMm} content={content} address={address} />
      <div class="print-rule" aria-hidden="true">
        50 mm
      </div>
      <div class="print-row">
        {COMPARED_MM.filter((mm) => mm < widthMm).map((mm) => (
          <PrintedCode key={mm} widthMm={mm} content={content} address={address} />
        ))}
      </div>
      <p class="small muted one-line">{content}</p>
    </div>
  );
}

function PrintedCode({ widthMm, content, address }: SheetProps) {
  return (
    <figure class="printed-code">
      {address && (
        <img
          src={address}
          alt={`QR code of ${content}, ${widthMm} mm wide`}
          style={{ width: `${widthMm}mm`, height: `${widthMm}mm` }}
        />
      )}
      <figcaption class="small muted numeric">{widthMm} mm</figcaption>
    </figure>
  );
}
