import type { Settings } from "../env.ts";
import { type Measure, type MeasureName, type Status, THRESHOLDS } from "../status/measures.ts";
import type { Deployment } from "./admin-database.ts";
import { CommandError } from "./command-error.ts";

/** Time after which a service that doesn't answer counts as stopped. */
const TIMEOUT_MS = 20_000;

/**
 * Asks the running service for its status. Throws {@link CommandError} if it doesn't run, or if `STATUS_TOKEN` is missing
 * or wrong.
 */
export async function fetchStatus({ state }: Deployment, { apiUrl }: Settings): Promise<Status> {
  const control = state?.saved.control;
  const token =
    control?.statusToken ?? state?.ensureSecrets(["STATUS_TOKEN"]).STATUS_TOKEN ?? process.env.STATUS_TOKEN;
  if (!token) throw new CommandError("STATUS_TOKEN: set this variable to the secret of the deployment");
  const statusUrl = `${apiUrl}/status`;
  const authorization = { Authorization: `Bearer ${token}` };
  // The public host of `npm start` needn't be reachable from this machine. Its control port takes the URL as a header.
  const [url, headers] =
    control?.statusToken === undefined
      ? [statusUrl, authorization]
      : [control.url, { ...authorization, "MF-Original-URL": statusUrl }];
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (error: Error) => {
      throw new CommandError(`no service answers at ${url}: ${error.message}`);
    },
  );
  if (response.ok) return (await response.json()) as Status;
  await response.body?.cancel();
  throw new CommandError(
    response.status === 401
      ? "STATUS_TOKEN: is not the secret of the deployment"
      : `${apiUrl}/status responded with ${response.status}; the service needs the secret STATUS_TOKEN, with at least 32 characters`,
  );
}

/** Formats a status for people: each measure with its worst value, and every value that is out of order. */
export function formatStatus({ ok, measures }: Status): string {
  const lines = Object.keys(THRESHOLDS).flatMap((name) => {
    const own = measures.filter((measure) => measure.name === name && measure.value !== null);
    const wrong = own.filter((measure) => !measure.ok);
    return (wrong.length > 0 ? wrong : own.sort(compareRisk).slice(0, 1)).map(formatMeasure);
  });
  return [...lines, "", ok ? "Everything is in order." : "Something is wrong: see the lines with ✗."].join(
    "\n",
  );
}

function formatMeasure({ name, of, value, limit, ok }: Measure): string {
  const { help, unit, ...bounds } = THRESHOLDS[name];
  const limitText = `${"min" in bounds ? "at least" : "at most"} ${limit.toLocaleString("en-GB")}`;
  return `${ok ? "✓" : "✗"} ${help}: ${value?.toLocaleString("en-GB")} ${unit} (${of}; ${limitText})`;
}

/** Sorts values next to their threshold first. */
function compareRisk(one: Measure, other: Measure): number {
  const isMinimum = "min" in THRESHOLDS[one.name satisfies MeasureName];
  return (isMinimum ? 1 : -1) * ((one.value ?? 0) - (other.value ?? 0));
}
