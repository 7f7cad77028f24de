import type { TestProject } from "vitest/node";
import { DnsResolver } from "./dns-resolver.ts";

declare module "vitest" {
  interface ProvidedContext {
    dnsUrl: string;
  }
}

/** Starts a DNS resolver for the tests in workerd, which read its URL with `inject("dnsUrl")`. */
export default async function setup(project: TestProject): Promise<() => void> {
  const resolver = new DnsResolver();
  project.provide("dnsUrl", await resolver.start());
  return () => resolver.stop();
}
