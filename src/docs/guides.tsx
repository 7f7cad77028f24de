import { analytics, sharedReports } from "./guides/analytics.tsx";
import { auditLog } from "./guides/audit-log.tsx";
import { bioPages } from "./guides/bio-pages.tsx";
import { client } from "./guides/client.tsx";
import { commandLine } from "./guides/command-line.tsx";
import { domains } from "./guides/custom-domains.tsx";
import type { Guide } from "./guides/guide.ts";
import { identityProvider } from "./guides/identity-provider.tsx";
import { importLinks } from "./guides/import.tsx";
import { linkGuards } from "./guides/link-guards.tsx";
import { firstLink, routingRules, schedules } from "./guides/links.tsx";
import { linksAsCode } from "./guides/links-as-code.tsx";
import { mcp } from "./guides/mcp.tsx";
import { menuCode } from "./guides/menu-code.tsx";
import { provisioning } from "./guides/provisioning.tsx";
import { qrDesign } from "./guides/qr-codes.tsx";
import { errors, idempotency, rateLimits } from "./guides/requests.tsx";
import { signIn } from "./guides/sign-in.tsx";
import { uploads } from "./guides/uploads.tsx";
import { webhooks } from "./guides/webhooks.tsx";

/** Guides in reading order. */
export const GUIDES: readonly Guide[] = [
  firstLink,
  schedules,
  routingRules,
  linkGuards,
  domains,
  qrDesign,
  bioPages,
  uploads,
  menuCode,
  analytics,
  sharedReports,
  webhooks,
  auditLog,
  signIn,
  identityProvider,
  provisioning,
  idempotency,
  rateLimits,
  errors,
  client,
  commandLine,
  importLinks,
  linksAsCode,
  mcp,
];
