import * as z from "zod";
import { createValidationError } from "../core/error.ts";
import { generateUuidv7 } from "../core/id.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import { addPasskey, listPasskeys, removePasskey, renamePasskey } from "../members/passkeys.ts";
import { getSession } from "./current-session.ts";
import {
  buildCreationOptions,
  CEREMONY_MS,
  openCeremony,
  sealCeremony,
  verifyCreation,
} from "./passkey-ceremony.ts";
import {
  formatPasskey,
  newPasskey,
  passkeyChange,
  passkeyOptionsResponse,
  passkeyResponse,
} from "./passkeys.schema.ts";
import { claimCeremony } from "./sign-in-states.ts";

const common = { tag: "Passkeys", rateLimit: "A", scope: "session" } as const;

const list = defineRoute(
  {
    ...common,
    id: "listPasskeys",
    summary: "List your passkeys, oldest first",
    method: "get",
    path: "/v1/passkeys",
    data: z.array(passkeyResponse),
  },
  async (c) => {
    const { person } = getSession(c.var);
    return { data: (await listPasskeys(tenantFor(c).directory, person)).map(formatPasskey) };
  },
);

const begin = defineRoute(
  {
    ...common,
    id: "beginPasskey",
    summary: "Start adding a passkey",
    description:
      "Returns the options with which the browser creates the passkey. They work once, within 5 minutes.",
    method: "post",
    path: "/v1/passkeys/options",
    data: passkeyOptionsResponse,
  },
  async (c) => {
    const { person, email, member } = getSession(c.var);
    const { settings, nowMs } = c.var;
    const existing = await listPasskeys(tenantFor(c).directory, person);
    const options = await buildCreationOptions(
      settings.appUrl,
      { person, email, name: member.name },
      existing,
    );
    const state = await sealCeremony(c.env, {
      ...{ challenge: options.challenge, person, createdId: generateUuidv7(nowMs) },
      expiresAtMs: nowMs + CEREMONY_MS,
    });
    return { data: { options: { ...options }, state } };
  },
);

const add = defineRoute(
  {
    ...common,
    id: "addPasskey",
    summary: "Add a passkey",
    description:
      "The passkey belongs to your account and signs you in to all your workspaces. You can have up to 10 passkeys.",
    method: "post",
    path: "/v1/passkeys",
    body: newPasskey,
    status: 201,
    data: passkeyResponse,
    errors: ["PASSKEY_LIMIT_EXCEEDED"],
  },
  async (c, { body: { name, state, response } }) => {
    const { person, email, member } = getSession(c.var);
    const { settings, nowMs } = c.var;
    const tenant = tenantFor(c);
    const ceremony = await openCeremony(c.env, state, nowMs);
    if (
      ceremony?.person !== person ||
      !(await claimCeremony(c.env.PASSWORD_TRIES, ceremony, tenant.origin.requestId))
    ) {
      throw createValidationError({
        field: "state",
        message: "has expired or was already used. Start again",
      });
    }
    const credential = await verifyCreation(settings.appUrl, ceremony, response);
    if (credential === null) {
      throw createValidationError({ field: "response", message: "could not be verified. Start again" });
    }
    const added = await addPasskey(tenant, {
      ...{ id: ceremony.createdId, person, email, personName: member.name, name },
      ...credential,
      ...{ createdAt: nowMs, lastUsedAt: null },
    });
    return { data: formatPasskey(added) };
  },
);

const rename = defineRoute(
  {
    ...common,
    id: "updatePasskey",
    summary: "Rename one of your passkeys",
    method: "patch",
    path: "/v1/passkeys/:passkey_id",
    body: passkeyChange,
    data: passkeyResponse,
  },
  async (c, { body: { name } }) => {
    const id = c.req.param("passkey_id") ?? "";
    return { data: formatPasskey(await renamePasskey(tenantFor(c), getSession(c.var).person, id, name)) };
  },
);

const remove = defineRoute(
  {
    ...common,
    id: "removePasskey",
    summary: "Remove one of your passkeys",
    description: "It no longer signs you in. Sessions that it has started go on.",
    method: "delete",
    path: "/v1/passkeys/:passkey_id",
    worksDuringMove: true,
    data: deletedResponse,
  },
  async (c) => {
    const id = c.req.param("passkey_id") ?? "";
    await removePasskey(tenantFor(c), getSession(c.var).person, id);
    return { data: { id, deleted: true as const } };
  },
);

export const passkeyRoutes: Route[] = [list, begin, add, rename, remove];
