import type { DesignInput } from "../../../qr/design.ts";
import { showToast } from "../../components/toast-list.ts";
import { CallError } from "../../data/call-error.ts";
import { api, asFault, callApi, type Schemas } from "../../data/calls.ts";
import { resources } from "../../data/resources.ts";
import { PAGE_ITEMS_MAX } from "../../data/service-limits.ts";

/** QR templates of the workspace: reads and changes them. */

export type Template = Schemas["QrTemplate"];

export const TEMPLATES_KEY = "qr-templates";

/** Reads the newest templates, up to one page of the API. Plans that allow more don't show the rest. */
export async function readTemplates(): Promise<readonly Template[]> {
  const query = { limit: PAGE_ITEMS_MAX };
  return (await callApi(api.GET("/v1/qr/templates", { params: { query } }))).data;
}

export async function readTemplate(id: string): Promise<Template> {
  const params = { path: { template_id: id } };
  return (await callApi(api.GET("/v1/qr/templates/{template_id}", { params }))).data;
}

/** Reads the design of a template, or null if the template is deleted. */
export async function readTemplateDesign(id: string): Promise<DesignInput | null> {
  try {
    return (await readTemplate(id)).design as DesignInput;
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.kind === "missing") return null;
    throw thrown;
  }
}

/** Sets the default of the studio where it differs from the API's, so that the API draws the code as shown. */
function completeDesign(design: DesignInput): Schemas["QrDesign"] {
  return { compact: true, ...design } as Schemas["QrDesign"];
}

/** Saves a design as a new template. Repeating the call with the same key is safe. */
export async function createTemplate(name: string, design: DesignInput, key: string): Promise<Template> {
  const header = { "Idempotency-Key": key };
  const body = { name, design: completeDesign(design) };
  const { data } = await callApi(api.POST("/v1/qr/templates", { params: { header }, body }));
  showTemplate(data);
  return data;
}

/** All fields of a design as null. An update starts from these to remove fields that aren't set. */
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
  compact: null,
  frame: null,
} as const;

/** Renames a template, or replaces its whole design. */
export async function updateTemplate(
  id: string,
  { name, design }: { name?: string; design?: DesignInput },
): Promise<Template> {
  const body = {
    ...(name !== undefined && { name }),
    ...(design !== undefined && {
      design: { ...NO_MEMBERS, ...completeDesign(design) } as Schemas["QrDesign"],
    }),
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

/** Moves a template to the trash, with a button to restore it. */
export async function removeTemplate({ id, name }: Template, onUndo: () => void): Promise<void> {
  const params = { path: { template_id: id } };
  const restore = async () => {
    const { data } = await callApi(api.POST("/v1/qr/templates/{template_id}/restore", { params }));
    show();
    showTemplate(data);
    onUndo();
  };
  await callApi(api.DELETE("/v1/qr/templates/{template_id}", { params }));
  const show = resources.change<readonly Template[]>(TEMPLATES_KEY, (known) =>
    known.filter((template) => template.id !== id),
  );
  const undo = () => void restore().catch((fault) => showToast(asFault(fault).message));
  showToast(`“${name}” deleted`, { label: "Undo", run: undo });
}
