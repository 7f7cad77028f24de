import type { ShownGroup } from "./group-members.ts";
import { applyToGroup, applyWholeGroup } from "./group-patch.ts";
import { buildGroup, fromGroupDraft, toGroupDraft } from "./group-record.ts";
import { changeGroup, createGroup, deleteGroup, findGroup, listGroups } from "./groups.ts";
import { buildList, parsePage } from "./list-response.ts";
import { parsePatchRequest, requireSchema } from "./patch-request.ts";
import { isShown, parseProjection, projectResource } from "./project-resource.ts";
import { GROUP_SCHEMA } from "./scim-attributes.ts";
import { type Handlers, readFilter, type ScimRequest, type ScimResult } from "./scim-request.ts";

/** Handlers for the list of groups. */
export const GROUP_LIST_HANDLERS: Handlers = {
  async GET({ context, query }) {
    const page = parsePage(query);
    const { total, groups } = await listGroups(context, readFilter(query), page, showsMembers(query));
    const resources = groups.map((group) => present(group, context.baseUrl, query));
    return { status: 200, body: buildList(resources, total, page.startIndex) };
  },

  async POST(request) {
    const body = await request.readBody();
    requireSchema(body, GROUP_SCHEMA);
    const draft = new Map();
    const change = applyWholeGroup(draft, body);
    const id = await createGroup(request.context, fromGroupDraft(draft), change);
    const result = await respond(request, id);
    return { ...result, status: 201, location: `${request.context.baseUrl}/Groups/${id}` };
  },
};

/** Handlers for one group. */
export const GROUP_HANDLERS: Handlers = {
  GET: (request) => respond(request, request.id ?? ""),

  async PUT(request) {
    const body = await request.readBody();
    requireSchema(body, GROUP_SCHEMA);
    const id = request.id ?? "";
    await findGroup(request.context, id, false);
    const draft = new Map();
    const change = applyWholeGroup(draft, body);
    await changeGroup(request.context, id, fromGroupDraft(draft), change);
    return respond(request, id);
  },

  /**
   * Responds without the group unless the request names attributes, because a group may have many members.
   */
  async PATCH(request) {
    const operations = parsePatchRequest(await request.readBody());
    const id = request.id ?? "";
    const { row } = await findGroup(request.context, id, false);
    const draft = toGroupDraft(row);
    const change = applyToGroup(draft, operations);
    const columns = fromGroupDraft(draft);
    const isRenamed = columns.displayName !== row.displayName || columns.externalId !== row.externalId;
    if (isRenamed || change.isAny) await changeGroup(request.context, id, columns, change);
    return request.query.has("attributes") ? respond(request, id) : { status: 204 };
  },

  async DELETE(request) {
    await deleteGroup(request.context, request.id ?? "");
    return { status: 204 };
  },
};

function showsMembers(query: URLSearchParams): boolean {
  return isShown(parseProjection(query), "members");
}

async function respond({ context, query }: ScimRequest, id: string): Promise<ScimResult> {
  const group = await findGroup(context, id, showsMembers(query));
  return { status: 200, body: present(group, context.baseUrl, query) };
}

function present({ row, memberIds }: ShownGroup, baseUrl: string, query: URLSearchParams) {
  return projectResource(buildGroup(row, memberIds, baseUrl), parseProjection(query));
}
