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

/** Design that is edited: a template, and what differs from it. */
export interface EditedDesign {
  templateId: string | null;
  /** Null if the design is that of the template, or the one of the start. */
  design: DesignInput | null;
}

/** Pause after the last change, before the address follows: browsers limit how often it may. */
const ADDRESS_PAUSE_MS = 250;

/** Design in the address, and the ways to change it. */
export interface DesignState {
  templateId: string | null;
  /** Undefined while the template is being read. */
  design: DesignInput | undefined;
  /** True if the design differs from that of the template. */
  isChanged: boolean;
  /** Changes the design. Changes of a subject shortly after each other are one step to undo. */
  change(design: DesignInput, subject: string): void;
  /** Shows a template as it is, or the design of the start. */
  choose(templateId: string | null): void;
  /** Follows a design that was saved as a template. */
  settle(templateId: string): void;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

/** Returns the design in the address. `template` is the design of its template, once that is known. */
export function useDesign(template: DesignInput | undefined): DesignState {
  const inAddress = readEdited(query.value);
  // Design that is shown before the address follows.
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
  // On another screen, the address is that of the other screen.
  useEffect(() => () => clearTimeout(timer.current), []);

  const current = live ?? inAddress;
  const base = current.templateId === null ? START_DESIGN : template;
  const show = (next: EditedDesign, delayMs: number) => {
    setLive(next);
    pending.current = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, delayMs);
  };
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
