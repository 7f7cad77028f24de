import type { DesiredLink, Link } from "../apply/desired-link.ts";
import { type LinkChange, type LinksPlan, listGivenFields } from "../apply/links-plan.ts";
import type { Schemas, SignpostClient } from "../client.ts";
import { cutBatches } from "../import/cut-batches.ts";
import { callService } from "./api-call.ts";
import { CommandError, EXIT, type ExitCode } from "./exit-code.ts";

/** Maximum number of parallel calls. */
const CONCURRENT_MAX = 4;

export type LinkAction = "create" | "change" | "delete";

/** Link for which the change failed. */
export interface LinkFailure {
  action: LinkAction;
  code: string;
  message: string;
}

/** Result of applying a plan. */
export interface PlanResult {
  created: number;
  changed: number;
  deleted: number;
  failures: readonly LinkFailure[];
  /** Error that stopped the run because it would affect all other links too, or null if all were tried. */
  end: CommandError | null;
}

export interface PlanRun {
  client: SignpostClient;
  plan: LinksPlan;
  /** True if links that aren't in the file are deleted. */
  isPruned: boolean;
  /** Passwords by the name of their environment variable. */
  passwords: ReadonlyMap<string, string>;
  /** Called after each call with the number of finished links. */
  onProgress?: (done: number) => void;
}

/** Part of the work: one call, or two calls that belong together. */
interface Task {
  action: LinkAction;
  codes: readonly string[];
  /** Makes the calls and returns the failed links. `end` is set if a failure affects all other links too. */
  run(): Promise<(LinkFailure & { end: CommandError | null })[]>;
}

/**
 * Applies a plan: first creations, then changes, then deletions, with a few calls in parallel. If the process
 * is killed, a second run does the rest: it finds the links that the first run created, and the service
 * doesn't create a code twice.
 */
export async function runPlan(planRun: PlanRun): Promise<PlanResult> {
  const done = { create: 0, change: 0, delete: 0 };
  const failures: LinkFailure[] = [];
  let end: CommandError | null = null;
  for (const tasks of [listCreations(planRun), listUpdates(planRun), listDeletions(planRun)]) {
    const waiting = tasks.values();
    const work = async () => {
      for (const task of waiting) {
        if (end !== null) return;
        try {
          const failed = await task.run();
          failures.push(...failed.map(({ action, code, message }) => ({ action, code, message })));
          for (const failure of failed) end ??= failure.end;
          done[task.action] += task.codes.length - failed.length;
        } catch (error) {
          const failure = asCommandError(error);
          end ??= findEnd(failure);
          failures.push(
            ...task.codes.map((code) => ({ action: task.action, code, message: failure.message })),
          );
        }
        planRun.onProgress?.(done.create + done.change + done.delete + failures.length);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_MAX }, work));
  }
  return { created: done.create, changed: done.change, deleted: done.delete, failures, end };
}

const LINK_EXITS: ReadonlySet<ExitCode> = new Set([EXIT.usage, EXIT.missing, EXIT.conflict]);

function asCommandError(error: unknown): CommandError {
  return error instanceof CommandError ? error : new CommandError((error as Error).message);
}

/** Returns the failure if it affects all links. Returns null if other links may succeed. */
function findEnd(failure: CommandError): CommandError | null {
  const isAboutLink = LINK_EXITS.has(failure.exitCode) || failure.message.startsWith("FEATURE_NOT_AVAILABLE");
  return isAboutLink ? null : failure;
}

function listCreations({ client, plan, passwords }: PlanRun): Task[] {
  const items = plan.created.map((desired) => ({ desired, link: buildNewLink(desired, passwords) }));
  return cutBatches(items).map((group) => ({
    action: "create",
    codes: group.map(({ desired }) => desired.name),
    async run() {
      const body = { links: group.map(({ link }) => link) };
      const { data } = await callService(client.POST("/v1/links/bulk", { body }));
      const refused = data.errors.map(({ index, error, ...given }) => {
        // The position in the call means nothing to the user.
        const message = given.message.replace(/^links\[\d+\][.:]\s?/, "");
        const isLimit = error === "plan_limit_exceeded";
        return {
          action: "create" as const,
          code: group[index]?.desired.name ?? "",
          message,
          end: isLimit ? new CommandError(`PLAN_LIMIT_EXCEEDED: ${message}`, EXIT.limited) : null,
        };
      });
      const failed = new Set(data.errors.map(({ index }) => index));
      const made = group.filter((_, index) => !failed.has(index));
      const enabled = data.created.filter((_, index) => made[index]?.desired.fields.enabled === false);
      return [...refused, ...(await disableLinks(client, enabled))];
    },
  }));
}

/** Disables new links. If that fails, they stay enabled, and a second run disables them. */
async function disableLinks(client: SignpostClient, links: readonly Link[]): ReturnType<Task["run"]> {
  if (links.length === 0) return [];
  const body = { ids: links.map(({ id }) => id), enabled: false };
  try {
    await callService(client.PATCH("/v1/links/bulk/status", { body }));
    return [];
  } catch (error) {
    const failure = asCommandError(error);
    const end = findEnd(failure);
    return links.map(({ short_code }) => ({
      action: "create",
      code: short_code,
      message: `created, but still enabled: ${failure.message}`,
      end,
    }));
  }
}

function listUpdates({ client, plan, passwords }: PlanRun): Task[] {
  return plan.changed.map((change) => ({
    action: "change",
    codes: [change.link.short_code],
    async run() {
      const path = { link_id: change.link.id };
      await callService(
        client.PATCH("/v1/links/{link_id}", { params: { path }, body: buildPatch(change, passwords) }),
      );
      return [];
    },
  }));
}

function listDeletions({ client, plan, isPruned }: PlanRun): Task[] {
  return (isPruned ? plan.absent : []).map(({ id, short_code }: Link) => ({
    action: "delete",
    codes: [short_code],
    async run() {
      const path = { link_id: id };
      await callService(client.DELETE("/v1/links/{link_id}", { params: { path } })).catch(
        (error: unknown) => {
          // The link was already deleted by someone else.
          if (!(error instanceof CommandError) || error.exitCode !== EXIT.missing) throw error;
        },
      );
      return [];
    },
  }));
}

function buildNewLink(
  { code, externalId, aliases, fields, passwordVariable, importedScans, createdAt }: DesiredLink,
  passwords: ReadonlyMap<string, string>,
): Schemas["NewLink"] {
  // The API creates all links enabled. {@link disableLinks} disables them afterwards.
  const { enabled: _, ...given } = listGivenFields(fields);
  return {
    ...given,
    ...(code !== null && { custom_slug: code }),
    ...(externalId !== null && { external_id: externalId }),
    ...(aliases.length > 0 && { aliases }),
    ...(passwordVariable !== null && { password: passwords.get(passwordVariable) }),
    ...(importedScans > 0 && { imported_scans: importedScans }),
    ...(createdAt !== null && { created_at: createdAt }),
  } as Schemas["NewLink"];
}

function buildPatch({ desired, changes }: LinkChange, passwords: ReadonlyMap<string, string>): object {
  return Object.fromEntries(
    changes.map(({ field, after }) => {
      if (field === "code") return ["custom_slug", after];
      if (field !== "has_password") return [field, after];
      const { passwordVariable } = desired;
      return ["password", passwordVariable === null ? null : passwords.get(passwordVariable)];
    }),
  );
}
