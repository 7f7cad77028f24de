import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import type { CallError } from "../data/call-error.ts";
import { asFault } from "../data/calls.ts";
import type { Faults } from "./form-fields.ts";

/** Assigns the errors of a response to form fields. `isComplete` is true if the form shows all of them. */
type PlaceErrors = (fields: Faults) => { faults: Faults; isComplete: boolean };

/** State of saving a form. */
export interface Saving<Root> {
  /** Element that contains the fields. */
  element: RefObject<Root | null>;
  isBusy: boolean;
  /** Error that the fields don't show, or null. */
  fault: CallError | null;
  /** Errors by form field. */
  faults: Faults;
  /** Removes the errors of fields, because they are edited. */
  clear(names: readonly string[]): void;
  /**
   * Runs a call, unless one is running. Resolves with its result. If it fails, resolves with null, shows the errors
   * and moves the focus to the first invalid field.
   */
  run<Result>(call: () => Promise<Result>, place?: PlaceErrors): Promise<Result | null>;
}

const placeNothing: PlaceErrors = () => ({ faults: {}, isComplete: false });

/** Saves a form, or runs another action, and keeps its errors until the next attempt. */
export function useSave<Root extends HTMLElement = HTMLFormElement>(): Saving<Root> {
  const element = useRef<Root>(null);
  // A reference, because a key press can save and submit in the same task, before the state is rendered.
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<CallError | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const run: Saving<Root>["run"] = async (call, place = placeNothing) => {
    if (isRunning.current) return null;
    isRunning.current = true;
    setBusy(true);
    setFault(null);
    setFaults({});
    try {
      return await call();
    } catch (thrown) {
      const failure = asFault(thrown);
      const placed = place(failure.fields);
      setFaults(placed.faults);
      setFault(placed.isComplete ? null : failure);
      showFirstFault(element);
      return null;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  const clear = (names: readonly string[]) =>
    setFaults((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name))),
    );
  return { element, isBusy, fault, faults, clear, run };
}

/** Focuses the first field with an error. If no field has one, scrolls to the notice above the fields. */
function showFirstFault(element: RefObject<HTMLElement | null>): void {
  const show = () => {
    const field = element.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field) field.focus();
    else element.current?.querySelector("[data-ui=notice]")?.scrollIntoView({ block: "nearest" });
  };
  // The first animation frame renders a section that the error opens, so that the second finds its field.
  requestAnimationFrame(() => requestAnimationFrame(show));
}
