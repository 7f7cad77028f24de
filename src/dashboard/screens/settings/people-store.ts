import { api, callApi, getWorkspaceHeader, type Schemas } from "../../data/calls.ts";
import { type PagedList, toFullPage } from "../../data/paged-list.ts";
import { resources } from "../../data/resources.ts";

/** Members and invitations of the workspace: reads, invites, changes and removes them. */

export type Member = Schemas["Member"];
export type Role = Member["role"];
export type Invitation = Schemas["Invitation"];
export type NewInvitation = Schemas["NewInvitation"];

export const MEMBERS_KEY = "members";
export const INVITATIONS_KEY = "invitations";
const PAGE_SIZE = 100;

/** Reads a page of the members, in the order of joining. */
export async function readMembers(after: string | null): Promise<PagedList<Member>> {
  const query = { limit: PAGE_SIZE, ...(after !== null && { after }) };
  const { data } = await callApi(api.GET("/v1/workspace/members", { params: { query } }));
  return toFullPage(data, PAGE_SIZE);
}

export async function readInvitations(): Promise<Invitation[]> {
  return (await callApi(api.GET("/v1/members/invitations", { params: { header: getWorkspaceHeader() } })))
    .data;
}

/** Invites a person and returns the URL to send. */
export async function invite(body: NewInvitation): Promise<string> {
  const params = { header: getWorkspaceHeader() };
  const { data } = await callApi(api.POST("/v1/members/invitations", { params, body }));
  await resources.read(INVITATIONS_KEY, readInvitations);
  return data.url;
}

export async function revokeInvitation(id: string): Promise<void> {
  const params = { path: { invitation_id: id }, header: getWorkspaceHeader() };
  await callApi(api.DELETE("/v1/members/invitations/{invitation_id}", { params }));
  await resources.read(INVITATIONS_KEY, readInvitations);
}

export async function setRole(id: string, role: Role): Promise<void> {
  const params = { path: { member_id: id }, header: getWorkspaceHeader() };
  await callApi(api.PATCH("/v1/members/{member_id}", { params, body: { role } }));
}

export async function removeMember(id: string): Promise<void> {
  const params = { path: { member_id: id }, header: getWorkspaceHeader() };
  await callApi(api.DELETE("/v1/members/{member_id}", { params }));
}

/** Creates a URL that gives a member access again. */
export async function recoverMember(id: string): Promise<string> {
  const params = { path: { member_id: id }, header: getWorkspaceHeader() };
  return (await callApi(api.POST("/v1/members/{member_id}/recovery", { params }))).data.url;
}
