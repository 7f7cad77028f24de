import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    isLong: boolean;
  }
}

/** Returns the number of runs of a test: the second number in `npm run test:long`, otherwise the first. */
export function chooseRuns(usual: number, long: number): number {
  return inject("isLong") ? long : usual;
}
