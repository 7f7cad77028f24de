import { analytics } from "./guides/analytics.tsx";
import { bioPages } from "./guides/bio-pages.tsx";
import { client } from "./guides/client.tsx";
import { domains } from "./guides/custom-domains.tsx";
import type { Guide } from "./guides/guide.ts";
import { linkGuards } from "./guides/link-guards.tsx";
import { firstLink, routingRules, schedules } from "./guides/links.tsx";
import { menuCode } from "./guides/menu-code.tsx";
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
  webhooks,
  signIn,
  idempotency,
  rateLimits,
  errors,
  client,
];
