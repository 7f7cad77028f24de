import { useEffect, useRef, useState } from "preact/hooks";
import type { DesignInput } from "../../../qr/design.ts";
import { query, setQuery } from "../../address/address.ts";
import {
  type DesignHistory,
  type HistoryStep,
  NO_HISTORY,
  redoStep,
  rememberStep,
  undoStep,
} from "./design-history.ts";
import { START_DESIGN } from "./design-looks.ts";
import { areSameDesigns, formatDesign, parseDesign } from "./design-query.ts";

/** Edited design: a template, with changes or without. */
export interface EditedDesign {
  templateId: string | null;
  /** Null for the template without changes or, if there is no template, for the design of a new code. */
  design: DesignInput | null;
}

/** Delay after the last change before the URL is updated, because browsers limit the rate of URL changes. */
const ADDRESS_PAUSE_MS = 250;

/** Unsaved design with which the screen was last left. */
let kept: EditedDesign | null = null;

/** State of the design, and the functions to change it. */
export interface DesignState {
  templateId: string | null;
  /** Undefined until the template is loaded. */
  design: DesignInput | undefined;
  /** True if the design differs from its template. */
  isChanged: boolean;
  /** Changes the design. Quick successive changes with the same subject are one undo step. */
  change(design: DesignInput, subject: string): void;
  /** Shows a template without changes. Null shows the design of a new code. */
  choose(templateId: string | null): void;
  /** Switches to a template that the current design was just saved to. This isn't an undo step. */
  settle(templateId: string): void;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

/** Manages the design in the page's URL. `template` is the chosen template's design, or undefined. */
export function useDesign(template: DesignInput | undefined): DesignState {
  const inAddress = readEdited(query.value);
  // Design to show until the URL is updated.
  const [live, setLive] = useState<EditedDesign | null>(null);
  const [history, setHistory] = useState<DesignHistory<EditedDesign>>(NO_HISTORY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<EditedDesign | null>(null);
  const flush = () => {
    clearTimeout(timer.current);
    if (pending.current === null) return;
    const { templateId, design } = pending.current;
    pending.current = null;
    setQuery({ template: templateId, design: design && formatDesign(design) });
    setLive(null);
  };
  const current = live ?? inAddress;
  const latest = useRef(current);
  latest.current = current;
  const base = current.templateId === null ? START_DESIGN : template;
  const show = (next: EditedDesign, delayMs: number) => {
    setLive(next);
    pending.current = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, delayMs);
  };
  useEffect(() => {
    if (kept !== null && inAddress.templateId === null && inAddress.design === null) show(kept, 0);
    return () => {
      // After leaving the screen, the URL belongs to another screen and must not be changed.
      clearTimeout(timer.current);
      kept = latest.current.design === null ? null : latest.current;
    };
  }, []);
  const go = (step: HistoryStep<EditedDesign> | null) => {
    if (step === null) return;
    setHistory(step.history);
    show(step.state, 0);
  };
  return {
    templateId: current.templateId,
    design: current.design ?? base,
    isChanged: current.design !== null,
    change(design, subject) {
      const isBase = base !== undefined && areSameDesigns(design, base);
      setHistory(rememberStep(history, current, subject, performance.now()));
      show({ templateId: current.templateId, design: isBase ? null : design }, ADDRESS_PAUSE_MS);
    },
    choose(templateId) {
      setHistory(rememberStep(history, current, `template ${templateId}`, performance.now()));
      show({ templateId, design: null }, 0);
    },
    settle(templateId) {
      show({ templateId, design: null }, 0);
    },
    undo: history.past.length > 0 ? () => go(undoStep(history, current)) : null,
    redo: history.future.length > 0 ? () => go(redoStep(history, current)) : null,
  };
}

function readEdited(query: string): EditedDesign {
  const parameters = new URLSearchParams(query);
  const design = parameters.get("design");
  return { templateId: parameters.get("template"), design: design === null ? null : parseDesign(design) };
}
