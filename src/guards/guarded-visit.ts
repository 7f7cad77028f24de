import { logRecurringError } from "../caching/recurring-errors.ts";
import type { ErrorPage } from "../pages/error-document.ts";
import { type Access, decideOutcome, type OpenOutcome, type Outcome, PERSON } from "../resolving/outcome.ts";
import type { Target, TargetGuards } from "../resolving/target.ts";
import type { Visitor } from "../routing/rules.ts";
import type { TrafficClass } from "../scans/traffic.ts";
import { isForeignForm } from "./foreign-form.ts";
import {
  respondHeld,
  respondWithButton,
  respondWithForm,
  respondWithPreview,
  respondWithRefusal,
} from "./guarded-page.ts";
import { type ScanGates, takeScan } from "./limited-visit.ts";
import { checkPassword, type PasswordBindings } from "./password-visit.ts";

/** Link with a password, a scan limit, a preview or a confirmation. */
export type GuardedTarget = Target & { guards: TargetGuards };

/** Visit to a guarded link. */
export interface GuardedVisit {
  request: Request;
  url: URL;
  target: GuardedTarget;
  visitor: Visitor & { readonly traffic: TrafficClass; readonly isBrowser: boolean };
  nowMs: number;
  /** URI for reporting the link. */
  report: string | null;
  waitUntil(promise: Promise<unknown>): void;
  respondWithError(page: ErrorPage, extraHeaders?: Record<string, string>): Promise<Response>;
}

/** Bindings and secrets that guards use. */
export interface GuardBindings extends PasswordBindings {
  SCAN_GATE: ScanGates;
}

/** Outcome after all guards were passed, and headers for the response. */
export interface Passed {
  outcome: OpenOutcome;
  headers: Record<string, string>;
  /** Traffic class of the visit. A visitor who pressed the button is a person. */
  traffic: TrafficClass;
}

const RETRY_AFTER = { "Retry-After": "5" };

/**
 * Takes a visitor through a link's guards: checks the password, asks to confirm, then takes one of the remaining scans.
 * Returns the outcome after all guards, or the response of the guard that stopped the visitor. If a guard
 * fails with an error, the visitor isn't let through.
 */
export async function passGuards(visit: GuardedVisit, env: GuardBindings): Promise<Passed | Response> {
  const { request, url, visitor, report } = visit;
  const { passwordVersion, maxScans, confirm } = visit.target.guards;
  const isPost = request.method === "POST";
  if (isPost && passwordVersion === null && maxScans === null && !confirm)
    return visit.respondWithError(405, { Allow: "GET, HEAD" });
  const { traffic, isBrowser } = visitor;
  const access: Access = {
    ...PERSON,
    traffic,
    isBrowser,
    isProbe: request.method === "HEAD",
    hasConfirmed: isPost && !isForeignForm(request.headers, url),
  };
  let outcome = decide(visit, access);
  const headers: Record<string, string> = {};
  if (outcome.status === "password") {
    const checked = await askForPassword(visit, env);
    if (checked instanceof Response) return checked;
    if (checked !== null) headers["Set-Cookie"] = checked;
    access.hasPassword = true;
    outcome = decide(visit, access);
  }
  if (outcome.status === "found" && maxScans !== null) {
    const isTaken = await takeOne(visit, env, maxScans);
    if (isTaken instanceof Response) return isTaken;
    if (!isTaken) outcome = decide(visit, { ...access, isUsedUp: true });
  }
  if (outcome.status === "held") return respondHeld(request, report);
  if (outcome.status === "confirm") return respondWithButton(request, report, headers);
  if (outcome.status === "preview") return respondWithPreview(request, url, outcome.preview);
  if (outcome.status === "password") return respondWithForm(request, false, report);
  const isConfirmed = access.hasConfirmed && traffic === "scanner";
  return { outcome, headers, traffic: isConfirmed ? "human" : traffic };
}

function decide({ target, visitor, nowMs }: GuardedVisit, access: Access): Outcome {
  return decideOutcome(target, visitor, nowMs, access);
}

/**
 * Returns the cookie for a correct password, null if the visitor already has a valid cookie, otherwise the
 * response.
 */
async function askForPassword(visit: GuardedVisit, env: GuardBindings): Promise<string | null | Response> {
  const { request, url, target, nowMs, report, waitUntil, respondWithError } = visit;
  const { id, workspaceId, guards } = target;
  const link = { id, workspaceId, passwordVersion: guards.passwordVersion ?? "" };
  try {
    const outcome = await checkPassword({ request, url, link, nowMs, waitUntil }, env);
    switch (outcome.status) {
      case "passed":
        return outcome.cookie;
      case "limited":
        return respondWithRefusal(request, report, 429, { "Retry-After": String(outcome.retryAfterSeconds) });
      case "too_large":
        return respondWithRefusal(request, report, 413);
      case "no_form":
        return respondWithRefusal(request, report, 415, {
          "Accept-Post": "application/x-www-form-urlencoded",
        });
      case "foreign":
        return respondWithRefusal(request, report, 403);
      case "gone":
        return respondWithError(404);
      default:
        return respondWithForm(request, outcome.status === "wrong", report);
    }
  } catch (error) {
    logRecurringError("a password could not be checked", error);
    return respondWithError(503, RETRY_AFTER);
  }
}

/**
 * Takes one of the remaining scans. Returns false if none is left, or a 503 response if the scan gate fails.
 */
async function takeOne(
  visit: GuardedVisit,
  env: GuardBindings,
  scansMax: number,
): Promise<boolean | Response> {
  const { id, workspaceId, updatedAt, guards } = visit.target;
  try {
    const link = { id, workspaceId, updatedAt, scansCounted: guards.scansCounted };
    return await takeScan(env.SCAN_GATE, link, scansMax);
  } catch (error) {
    logRecurringError("the scans of a limited link could not be counted", error);
    return visit.respondWithError(503, RETRY_AFTER);
  }
}
