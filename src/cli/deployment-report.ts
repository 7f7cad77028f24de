import { parseSettings, type Vars } from "../env.ts";
import type { DeclaredEnvironment } from "./deployment-config.ts";

/** Remaining tasks for the administrator after a deployment. */
export interface OpenPoints {
  /** Databases without read replicas. */
  withoutReplicas: readonly string[];
  /** True if hosts below the short domain don't resolve. */
  lacksShortRecord: boolean;
}

/** Formats the URLs of a deployment and the next steps. */
export function formatReport(environment: string, declared: DeclaredEnvironment, points: OpenPoints): string {
  const { apiUrl, bioUrl, cdnUrl, appUrl, shortHost } = parseSettings(declared.vars as unknown as Vars);
  const steps = [
    ...(points.lacksShortRecord
      ? [
          `Add the proxied DNS record AAAA * 100:: to the zone of ${shortHost}. Short links won't resolve without it.`,
        ]
      : []),
    ...(points.withoutReplicas.length > 0
      ? [
          `Turn on read replication of ${points.withoutReplicas.join(", ")}: dash.cloudflare.com, D1, the database,\n` +
            "     Settings. Redirects then read from the nearest replica, at no extra cost.",
        ]
      : []),
    `Create a workspace and an API key:\n\n` +
      `     npm run --silent admin -- workspace create --slug acme --name Acme --plan business --remote --env ${environment}\n` +
      `     npm run --silent admin -- key create --workspace acme --remote --env ${environment}`,
  ];
  return `
Signpost is deployed.

  API           ${apiUrl}/v1
  Reference     ${apiUrl}/docs
  Short links   https://{workspace}.${shortHost}/{code}
  Bio pages     ${bioUrl}/{slug}
  Public files  ${cdnUrl}
  App           ${appUrl}

Next:

${steps.map((step, index) => `  ${index + 1}. ${step}`).join("\n")}
`;
}
