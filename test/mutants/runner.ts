import { EventEmitter } from "node:events";
import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import * as api from "@stryker-mutator/api/test-runner";
import { type PoolRunnerInitializer, type PoolWorker, ThreadsPoolWorker, type Vitest } from "vitest/node";
import * as vitest from "../../node_modules/@stryker-mutator/vitest-runner/dist/src/vitest-test-runner.js";
import { selectTests } from "./by-hand.ts";

createRunner.inject = vitest.vitestTestRunnerFactory.inject;
export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, "kept-vitest", createRunner)];

function createRunner(injector: Parameters<typeof vitest.vitestTestRunnerFactory>[0]): api.TestRunner {
  return injector.provideValue("globalNamespace", "__stryker__" as const).injectClass(KeptRunner);
}

/** Runner of Stryker for Vitest that keeps its worker between mutants. Every test file loads its modules again. */
class KeptRunner extends vitest.VitestTestRunner implements api.TestRunner {
  override async init(): Promise<void> {
    await super.init();
    const { ctx } = this as unknown as { ctx: Vitest };
    // Only projects with tests in these folders, so that no other one starts services.
    const folders = new RegExp(process.env.MUTANTS_FOLDERS ?? "");
    const projects = ctx.projects.filter(({ config }) => folders.test(config.include.join()));
    Object.assign(ctx, { projects, reporters: [] });
    for (const { config } of projects) {
      const pool = keepWorker(config.poolRunner);
      ctx.onClose(pool.stop);
      // A test that a mutant makes wait for ever fails before Stryker gives up and starts its process again. Threads
      // don't start with flags of V8.
      const limits = { execArgv: [], testTimeout: 20_000 };
      Object.assign(config, { poolRunner: pool, pool: pool.name, isolate: true, ...limits });
    }
  }

  override async mutantRun(options: api.MutantRunOptions): Promise<api.MutantRunResult> {
    const testFilter = selectTests(options.activeMutant.mutatorName, options.testFilter);
    if (testFilter?.length === 0) return { status: api.MutantRunStatus.Survived, nrOfTests: 0 };
    return super.mutantRun({ ...options, ...(testFilter && { testFilter }), mutantActivation: "static" });
  }
}

/** Returns a pool with one worker that only looks new to Vitest. In workerd a new one takes ten seconds. */
function keepWorker(pool: PoolRunnerInitializer | undefined) {
  const name = pool?.name ?? "kept-threads";
  let kept: PoolWorker | undefined;
  let current = new EventEmitter();
  const createPoolWorker: PoolRunnerInitializer["createPoolWorker"] = (options) => {
    const isNew = kept === undefined;
    const worker = kept ?? pool?.createPoolWorker(options) ?? new ThreadsPoolWorker(options);
    kept = worker;
    const events = new EventEmitter();
    const answer = (type: "started" | "stopped") =>
      queueMicrotask(() => events.emit("message", { __vitest_worker_response__: true, type }));
    return Object.assign(events, {
      name,
      async start() {
        current = events;
        if (!isNew) return;
        await worker.start();
        for (const event of ["message", "error", "exit"])
          worker.on(event, (...values) => current.emit(event, ...values));
      },
      stop: async () => {},
      deserialize: (data: unknown) => worker.deserialize(data),
      send(message: Parameters<PoolWorker["send"]>[0]) {
        if (message.type === "stop") return answer("stopped");
        if (message.type === "start" && !isNew) return answer("started");
        // A worker gets the configuration when it starts. This one needs the names of the tests with each run.
        if (message.type === "run")
          Object.assign(message.context, { config: options.project.serializedConfig });
        worker.send(message);
      },
    });
  };
  return { name, createPoolWorker, stop: async () => kept?.stop() };
}
