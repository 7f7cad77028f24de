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
  /** Makes the calls. Returns the failures of single links. `isLimit` is set at the plan's limit. */
  run(): Promise<(LinkFailure & { isLimit?: boolean })[]>;
}

/**
 * Applies a plan: first creations, then changes, then deletions, with a few calls in parallel. If the process
 * is killed, a second run does the rest: links that were created exist by then, and a code can be used only
 * once.
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
          const limit = failed.find(({ isLimit }) => isLimit);
          if (limit !== undefined)
            end ??= new CommandError(`PLAN_LIMIT_EXCEEDED: ${limit.message}`, EXIT.limited);
          done[task.action] += task.codes.length - failed.length;
        } catch (error) {
          const failure = error instanceof CommandError ? error : new CommandError((error as Error).message);
          if (!isAboutLink(failure)) end ??= failure;
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

/** Returns true if a failure concerns only one link, so that others may succeed. */
function isAboutLink({ exitCode, message }: CommandError): boolean {
  return LINK_EXITS.has(exitCode) || message.startsWith("FEATURE_NOT_AVAILABLE");
}

function listCreations({ client, plan, passwords }: PlanRun): Task[] {
  const items = plan.created.map((desired) => ({ desired, link: buildNewLink(desired, passwords) }));
  return cutBatches(items).map((group) => ({
    action: "create",
    codes: group.map(({ desired }) => desired.code),
    async run() {
      const body = { links: group.map(({ link }) => link) };
      const { data } = await callService(client.POST("/v1/links/bulk", { body }));
      const disabled = new Set(
        group.flatMap(({ desired }) => (desired.fields.enabled ? [] : [desired.code])),
      );
      const ids = data.created.flatMap(({ id, short_code }) => (disabled.has(short_code) ? [id] : []));
      if (ids.length > 0)
        await callService(client.PATCH("/v1/links/bulk/status", { body: { ids, enabled: false } }));
      return data.errors.map(({ index, error, message }) => ({
        action: "create",
        code: group[index]?.desired.code ?? "",
        // The position in the call means nothing to the user.
        message: message.replace(/^links\[\d+\][.:]\s?/, ""),
        ...(error === "plan_limit_exceeded" && { isLimit: true }),
      }));
    },
  }));
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
  { code, fields, passwordVariable, importedScans, createdAt }: DesiredLink,
  passwords: ReadonlyMap<string, string>,
): Schemas["NewLink"] {
  // New links are always enabled. A separate call disables them.
  const { enabled: _, ...given } = listGivenFields(fields);
  return {
    ...given,
    custom_slug: code,
    ...(passwordVariable !== null && { password: passwords.get(passwordVariable) }),
    ...(importedScans > 0 && { imported_scans: importedScans }),
    ...(createdAt !== null && { created_at: createdAt }),
  } as Schemas["NewLink"];
}

function buildPatch({ desired, changes }: LinkChange, passwords: ReadonlyMap<string, string>): object {
  return Object.fromEntries(
    changes.map(({ field, after }) => {
      if (field !== "has_password") return [field, after];
      const { passwordVariable } = desired;
      return ["password", passwordVariable === null ? null : passwords.get(passwordVariable)];
    }),
  );
}
