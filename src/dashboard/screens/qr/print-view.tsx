import { useEffect, useRef, useState } from "preact/hooks";
import { query, setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/states.tsx";
import { RangeInput } from "./design-fields.tsx";
import {
  judgePrint,
  PRINT_MAX_MM,
  PRINT_MIN_MM,
  PRINT_RECOMMENDED_MM,
  readPrintWidth,
} from "./print-size.ts";
import css from "./print-view.module.css";

/** Delay after the last change before the URL is updated, because browsers limit the rate of URL changes. */
const ADDRESS_PAUSE_MS = 250;

/** Returns the printed width from the page's URL, and a function to change it. */
export function usePrintWidth(): [widthMm: number, change: (widthMm: number) => void] {
  const [live, setLive] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (widthMm: number) => {
    setLive(widthMm);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setQuery({ mm: String(widthMm) });
      setLive(null);
    }, ADDRESS_PAUSE_MS);
  };
  return [live ?? readPrintWidth(query.value), change];
}

interface PrintProps {
  widthMm: number;
  onChange: (widthMm: number) => void;
  /** Width of the image in modules. */
  modules: number;
}

/** Field for the printed width, with its consequences and instructions for a test print. */
export function PrintFields({ widthMm, onChange, modules }: PrintProps) {
  const { moduleMm, distanceCm, recommendedMm, isSmall } = judgePrint(widthMm, modules);
  return (
    <>
      <RangeInput
        label="Width"
        value={widthMm}
        min={PRINT_MIN_MM}
        max={PRINT_MAX_MM}
        text={`${widthMm} mm`}
        hint={`Each module is ${moduleMm} mm wide. Phones can read the code from up to ${distanceCm} cm away.`}
        onInput={onChange}
      />
      {isSmall && (
        <Notice
          tone="warn"
          action={
            <Button size="s" onClick={() => onChange(recommendedMm)}>
              Enlarge to {recommendedMm} mm
            </Button>
          }
        >
          <p>
            {recommendedMm > PRINT_RECOMMENDED_MM
              ? `This code is dense. Below ${recommendedMm / 10} cm, its modules are too small for most printers and cameras.`
              : "Below 2 cm, many phones can't focus on the code."}
          </p>
        </Notice>
      )}
      <ol class={`small ${css.steps}`}>
        <li>Print this page without scaling (“100%” or “Actual size”).</li>
        <li>Check that the line below the code is 50 mm long.</li>
        <li>
          Scan the code with an older phone, at the distance and in the lighting your audience will have.
        </li>
      </ol>
      <div class="row">
        <Button kind="primary" icon="print" onClick={() => print()}>
          Print test sheet
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

/** Smaller sizes on the test sheet, to find the smallest that still scans. */
const COMPARED_MM = [15, 20, 30] as const;

/** Test sheet with the code at its actual size. Only this part is printed. */
export function PrintSheet({ widthMm, content, address }: SheetProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a large code is scrolled sideways, also by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div class={css.sheet} role="group" aria-label="Test sheet" tabIndex={0}>
      <PrintedCode widthMm={widthMm} content={content} address={address} />
      <div class={css.rule} aria-hidden="true">
        50 mm
      </div>
      <div class={css.row}>
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
    <figure class={css.printedCode}>
      {address && (
        <img
          src={address}
          alt={`QR code of ${content}, ${widthMm} mm wide`}
          style={{ width: `${widthMm}mm` }}
        />
      )}
      <figcaption class="small muted numeric">{widthMm} mm</figcaption>
    </figure>
  );
}
