import type { DesignInput } from "../../../qr/design.ts";
import { deleteLater } from "../../components/delayed-deletion.ts";
import { api, callApi, type Schemas } from "../../data/calls.ts";
import { resources } from "../../data/resources.ts";
import { PAGE_ITEMS_MAX } from "../../data/service-limits.ts";

/** Templates of the workspace: reading them, and changing them. */

export type Template = Schemas["QrTemplate"];

export const TEMPLATES_KEY = "qr-templates";

/** Reads the newest templates, as many as one call has: the plans with more show these. */
export async function readTemplates(): Promise<readonly Template[]> {
  const query = { limit: PAGE_ITEMS_MAX };
  return (await callApi(api.GET("/v1/qr/templates", { params: { query } }))).data;
}

/** Reads one template. */
export async function readTemplate(id: string): Promise<Template> {
  const params = { path: { template_id: id } };
  return (await callApi(api.GET("/v1/qr/templates/{template_id}", { params }))).data;
}

/** Saves a design as a new template. */
export async function createTemplate(name: string, design: DesignInput, key: string): Promise<Template> {
  const header = { "Idempotency-Key": key };
  const body = { name, design: design as Schemas["QrDesign"] };
  const { data } = await callApi(api.POST("/v1/qr/templates", { params: { header }, body }));
  showTemplate(data);
  return data;
}

/** All members of a design. A change of a template removes those that are not set. */
const NO_MEMBERS = {
  foreground_color: null,
  background_color: null,
  corner_color: null,
  error_correction: null,
  dot_style: null,
  corner_style: null,
  logo_url: null,
  logo_size: null,
  quiet_zone: null,
} as const;

/** Changes the name of a template, or its design as a whole. */
export async function updateTemplate(
  id: string,
  { name, design }: { name?: string; design?: DesignInput },
): Promise<Template> {
  const body = {
    ...(name !== undefined && { name }),
    ...(design !== undefined && { design: { ...NO_MEMBERS, ...design } as Schemas["QrDesign"] }),
  };
  const params = { path: { template_id: id } };
  const { data } = await callApi(api.PATCH("/v1/qr/templates/{template_id}", { params, body }));
  showTemplate(data);
  return data;
}

function showTemplate(template: Template): void {
  resources.change<readonly Template[]>(TEMPLATES_KEY, (known) => {
    const isKnown = known.some(({ id }) => id === template.id);
    const others = known.map((other) => (other.id === template.id ? template : other));
    return isKnown ? others : [template, ...known];
  });
}

/** Deletes a template, with a way back. */
export function removeTemplate({ id, name }: Template, onUndo: () => void): void {
  const send = async (isLeaving: boolean) => {
    const params = { path: { template_id: id } };
    await callApi(api.DELETE("/v1/qr/templates/{template_id}", { params, keepalive: isLeaving }));
    resources.change<readonly Template[]>(TEMPLATES_KEY, (known) =>
      known.filter((template) => template.id !== id),
    );
  };
  deleteLater({ id, message: `“${name}” is deleted`, send, onUndo });
}
