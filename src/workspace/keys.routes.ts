import * as z from "zod";
import { createKey, listKeys, revokeKey, rotateKey } from "../auth/keys.ts";
import { deletedResponse } from "../http/fields.ts";
import { defineRoute, type Route } from "../http/operation.ts";
import { tenantFor } from "../http/request-tenant.ts";
import {
  createdKeyResponse,
  formatCreatedKey,
  formatKeyResponse,
  keyResponse,
  keyRotation,
  newKey,
} from "./keys.schema.ts";

const common = { tag: "Keys", rateLimit: "A", scope: "keys" } as const;

const list = defineRoute(
  {
    ...common,
    id: "listKeys",
    summary: "List the API keys of the workspace, newest first",
    method: "get",
    path: "/v1/keys",
    data: z.array(keyResponse),
  },
  async (c) => ({ data: (await listKeys(tenantFor(c))).map(formatKeyResponse) }),
);

const create = defineRoute(
  {
    ...common,
    id: "createKey",
    summary: "Create an API key",
    description: "The response alone contains the key. A workspace can have 100 keys that work.",
    method: "post",
    path: "/v1/keys",
    body: newKey,
    status: 201,
    data: createdKeyResponse,
    errors: ["KEY_LIMIT_EXCEEDED"],
  },
  async (c, { body: { name, scopes, expires_at: expiresAt = null } }) => ({
    data: formatCreatedKey(await createKey(tenantFor(c), { name, scopes, expiresAt })),
  }),
);

const rotate = defineRoute(
  {
    ...common,
    id: "rotateKey",
    summary: "Replace an API key by one with the same name, scopes and end",
    description:
      "The former key is refused at once, or works for `overlap_hours` more. The response alone contains the new key.",
    method: "post",
    path: "/v1/keys/:key_id/rotate",
    body: keyRotation,
    isBodyOptional: true,
    status: 201,
    data: createdKeyResponse,
    errors: ["KEY_LIMIT_EXCEEDED", "KEY_NOT_ACTIVE"],
  },
  async (c, { body }) => ({
    data: formatCreatedKey(await rotateKey(tenantFor(c), c.req.param("key_id") ?? "", body.overlap_hours)),
  }),
);

const revoke = defineRoute(
  {
    ...common,
    id: "revokeKey",
    summary: "Revoke an API key at once",
    description: "The key stays in the list, with `revoked_at`.",
    method: "delete",
    path: "/v1/keys/:key_id",
    worksDuringMove: true,
    data: deletedResponse,
  },
  async (c) => {
    const id = c.req.param("key_id") ?? "";
    await revokeKey(tenantFor(c), id);
    return { data: { id, deleted: true as const } };
  },
);

export const keyRoutes: Route[] = [list, create, rotate, revoke];
