import type { TestProject } from "vitest/node";
import { Receiver } from "./receiver.ts";

declare module "vitest" {
  interface ProvidedContext {
    receiverUrl: string;
  }
}

/** Starts a webhook receiver for the tests in workerd, which read its URL with `inject("receiverUrl")`. */
export default async function setup(project: TestProject): Promise<() => void> {
  const receiver = new Receiver();
  project.provide("receiverUrl", await receiver.start());
  return () => receiver.stop();
}
