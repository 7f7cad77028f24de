import { DEFAULT_ROLE } from "../permissions/roles.ts";
import { applyOperation, applyResource } from "./apply-patch.ts";
import { buildList, parsePage } from "./list-response.ts";
import { USER_KIND } from "./patch-path.ts";
import { parsePatchRequest, requireSchema } from "./patch-request.ts";
import { parseProjection, projectResource } from "./project-resource.ts";
import { USER_SCHEMA } from "./scim-attributes.ts";
import { type Handlers, readFilter, type ScimRequest, type ScimResult } from "./scim-request.ts";
import { buildUser, fromDraft, toDraft, type UserRow } from "./user-record.ts";
import { changeUser, createUser, deleteUser, findUser, listUsers } from "./users.ts";

/** Handlers for the list of users. */
export const USER_LIST_HANDLERS: Handlers = {
  async GET({ context, query }) {
    const page = parsePage(query);
    const { total, rows } = await listUsers(context, readFilter(query), page);
    const resources = rows.map((row) => present(row, context.baseUrl, query));
    return { status: 200, body: buildList(resources, total, page.startIndex) };
  },

  async POST(request) {
    const body = await request.readBody();
    requireSchema(body, USER_SCHEMA);
    const draft = new Map();
    applyResource(draft, body, USER_KIND);
    const row = await createUser(request.context, fromDraft(draft, DEFAULT_ROLE));
    return { ...respond(request, row), status: 201, location: `${request.context.baseUrl}/Users/${row.id}` };
  },
};

/** Handlers for one user. */
export const USER_HANDLERS: Handlers = {
  async GET(request) {
    return respond(request, await findUser(request.context, getId(request)));
  },

  async PUT(request) {
    const body = await request.readBody();
    requireSchema(body, USER_SCHEMA);
    const row = await changeUser(request.context, getId(request), (former) => {
      const draft = new Map();
      applyResource(draft, body, USER_KIND);
      return fromDraft(draft, former.ownRole);
    });
    return respond(request, row);
  },

  async PATCH(request) {
    const operations = parsePatchRequest(await request.readBody());
    const row = await changeUser(request.context, getId(request), (former) => {
      const draft = toDraft(former);
      for (const operation of operations) applyOperation(draft, operation, USER_KIND);
      return fromDraft(draft, former.ownRole);
    });
    return respond(request, row);
  },

  async DELETE(request) {
    await deleteUser(request.context, getId(request));
    return { status: 204 };
  },
};

function getId({ id }: ScimRequest): string {
  return id ?? "";
}

function respond({ context, query }: ScimRequest, row: UserRow): ScimResult {
  return { status: 200, body: present(row, context.baseUrl, query) };
}

function present(row: UserRow, baseUrl: string, query: URLSearchParams) {
  return projectResource(buildUser(row, `${baseUrl}/Users`), parseProjection(query));
}
