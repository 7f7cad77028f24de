import { join } from "node:path";
import type { NodePath } from "@babel/core";
import { declareFactoryPlugin, declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";
import * as api from "@stryker-mutator/api/test-runner";
import { type PoolRunnerInitializer, type PoolWorker, ThreadsPoolWorker, type Vitest } from "vitest/node";
import * as vitest from "../../node_modules/@stryker-mutator/vitest-runner/dist/src/vitest-test-runner.js";
import { vitestWrapper } from "../../node_modules/@stryker-mutator/vitest-runner/dist/src/vitest-wrapper.js";

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, "kept-vitest", createRunner),
  declareValuePlugin(PluginKind.Ignore, "types", { shouldIgnore: removeTypes }),
];

/** Takes the types from `value as Type`, at the start of a file. Stryker changes nothing in such a value. */
function removeTypes(node: object): undefined {
  const path = node as NodePath;
  if (path.isProgram())
    path.traverse({ TSAsExpression: (cast) => void cast.replaceWith(cast.node.expression) });
}

createRunner.inject = vitest.vitestTestRunnerFactory.inject;

/**
 * Creates Stryker's runner for Vitest, with a worker that is kept between mutants. Vitest ends a worker when its files
 * are done. A new one loads all modules, and in workerd starts Miniflare and migrates its databases first.
 */
function createRunner(injector: Parameters<typeof vitest.vitestTestRunnerFactory>[0]): api.TestRunner {
  const runner = vitest.vitestTestRunnerFactory(injector);
  const getVitest = () => (runner as unknown as { ctx: Vitest }).ctx;
  const { init, dryRun, mutantRun, dispose } = runner;
  const { createVitest } = vitestWrapper;
  const project = process.env.MUTANTS_PROJECTS?.split(",") ?? [];
  const createWithProjects = (mode: "test", options: object) =>
    createVitest(mode, { ...options, project, reporters: [{}] });
  vitestWrapper.createVitest = createWithProjects as typeof createVitest;
  const pools: ReturnType<typeof keepWorker>[] = [];
  const stopWorkers = () => Promise.all(pools.map((pool) => pool.stop()));
  let generation = 0;
  const forgetModules = () => getVitest().provide("generation" as never, ++generation as never);

  return Object.assign(runner, {
    async init() {
      await init.call(runner);
      forgetModules();
      for (const { config } of getVitest().projects) {
        const pool = keepWorker(config.poolRunner);
        pools.push(pool);
        Object.assign(config, { poolRunner: pool, pool: pool.name, isolate: false });
        config.setupFiles.push(join(import.meta.dirname, "reset-modules.ts"));
      }
    },
    async dryRun(options: api.DryRunOptions) {
      const result = await dryRun.call(runner, options);
      if (result.status === api.DryRunStatus.Complete) coverByFiles(result);
      return result;
    },
    async mutantRun(options: api.MutantRunOptions) {
      // Mutants by hand name their test files.
      const [, files] = /^by hand: (.*)/.exec(options.activeMutant.mutatorName) ?? [];
      const testFilter = (options.testFilter ?? []).filter(
        (id) => files?.split(" ").includes(id.replace(/#.*/s, "")) ?? true,
      );
      const run = (changes: Partial<api.MutantRunOptions> = {}) =>
        mutantRun.call(runner, { ...options, testFilter, ...changes });
      if (testFilter.length === 0) return { status: api.MutantRunStatus.Survived, nrOfTests: 0 } as const;
      if (testFilter.every((id) => id.endsWith("#"))) {
        forgetModules();
        return run({ mutantActivation: "static" }).finally(forgetModules);
      }
      const result = await run();
      if (result.status === api.MutantRunStatus.Killed) {
        const activeMutant = { ...options.activeMutant, id: "none" };
        const without = await run({ testFilter: [result.killedBy].flat(), activeMutant });
        if (without.status === api.MutantRunStatus.Survived) return result;
        // An earlier mutant has left something that makes these tests fail.
        await stopWorkers();
      }
      // Loaded modules may remember what they computed without the mutant.
      forgetModules();
      return run();
    },
    async dispose() {
      await stopWorkers();
      await dispose.call(runner);
    },
  });
}

/** Adds an entry for each test file, which covers the mutants of code that runs once, when its file is loaded. */
function coverByFiles(result: api.CompleteDryRunResult): void {
  const { static: atLoad, perTest } = result.mutantCoverage ?? { static: {}, perTest: {} };
  for (const id of Object.values(perTest).flatMap(Object.keys)) delete atLoad[id];
  for (const [id, tests] of Map.groupBy(result.tests, (test) => test.id.replace(/#.*/s, "#"))) {
    const timeSpentMs = tests.reduce((sum, test) => sum + test.timeSpentMs, 0);
    result.tests.push({ id, name: id, status: api.TestStatus.Success, timeSpentMs });
    perTest[id] = atLoad;
  }
  // Without coverage, Stryker would run all tests for each mutant.
  result.mutantCoverage = { static: {}, perTest };
}

/** Returns a pool whose workers only look new to Vitest: all are one, which it neither starts again nor stops. */
function keepWorker(pool: PoolRunnerInitializer | undefined) {
  let kept: PoolWorker | undefined;
  const name = pool?.name ?? "kept-threads";
  const stop = async () => {
    const worker = kept;
    kept = undefined;
    await worker?.stop();
  };
  const createPoolWorker: PoolRunnerInitializer["createPoolWorker"] = (options) => {
    const isNew = kept === undefined;
    const worker = kept ?? pool?.createPoolWorker(options) ?? new ThreadsPoolWorker(options);
    kept = worker;
    // Vitest may still send to a worker that was stopped because a test hangs.
    const isKept = () => kept === worker;
    const listeners = new Map<string, (...values: unknown[]) => void>();
    const answer = (type: "started" | "stopped") =>
      queueMicrotask(() => listeners.get("message")?.({ __vitest_worker_response__: true, type }));
    return {
      name,
      start: async () => (isNew ? await worker.start() : undefined),
      stop: async () => {
        if (isKept()) for (const [event, listener] of listeners) worker.off(event, listener);
      },
      on: (event, listener) => {
        listeners.set(event, listener);
        worker.on(event, listener);
      },
      off: (event, listener) => void (isKept() && worker.off(event, listener)),
      deserialize: (data) => worker.deserialize(data),
      send: (message) => {
        if (message.type === "stop") return answer("stopped");
        if (message.type === "start" && !isNew) return answer("started");
        // A worker gets the names of the tests to run when it starts. This one needs them with each run.
        if (message.type === "start") message.context.config.testNamePattern = undefined;
        const { testNamePattern } = options.project.config;
        if (message.type === "run")
          for (const file of message.context.files) Object.assign(file, { testNamePattern });
        if (isKept()) worker.send(message);
      },
    };
  };
  return { name, createPoolWorker, stop };
}
