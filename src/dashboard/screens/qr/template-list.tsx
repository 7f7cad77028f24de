import { useState } from "preact/hooks";
import type { DesignInput } from "../../../qr/design.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Menu } from "../../components/menu.tsx";
import { FaultNotice, Skeleton } from "../../components/states.tsx";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { asFault } from "../../data/calls.ts";
import type { ShownResource } from "../../data/resources.ts";
import { TEMPLATE_NAME_MAX_LENGTH } from "../../data/service-limits.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { FormSpec } from "../../forms/form-fields.ts";
import { useForm } from "../../forms/use-form.ts";
import { canEdit } from "../../session/session.ts";
import type { DesignState } from "./design-state.ts";
import { DesignPicture } from "./look-list.tsx";
import css from "./template-list.module.css";
import { createTemplate, removeTemplate, type Template, updateTemplate } from "./template-store.ts";

interface TemplateListProps {
  list: ShownResource<readonly Template[]>;
  state: DesignState;
}

/** Saved designs of the workspace. They can be applied, created, renamed, updated and deleted. */
export function TemplateList({ list, state }: TemplateListProps) {
  const [named, setNamed] = useState<Template | "new" | null>(null);
  const templates = list.value;
  const shown = templates?.find(({ id }) => id === state.templateId);
  const save = async (template: Template) => {
    if (state.design === undefined) return;
    try {
      const before = template.design;
      await updateTemplate(template.id, { design: state.design });
      state.settle(template.id);
      showToast(`“${template.name}” updated`, {
        label: "Undo",
        run: () =>
          void updateTemplate(template.id, { design: before as DesignInput }).catch((fault) =>
            showToast(asFault(fault).message),
          ),
      });
    } catch (fault) {
      showToast(asFault(fault).message);
    }
  };
  const remove = async (template: Template) => {
    const isShown = template.id === state.templateId;
    try {
      await removeTemplate(template, () => isShown && state.choose(template.id));
      if (isShown) state.choose(null);
    } catch (fault) {
      showToast(asFault(fault).message);
    }
  };
  return (
    <>
      {list.fault !== null && <FaultNotice fault={list.fault} onRetry={list.reload} />}
      {templates === undefined && list.fault === null && <Skeleton width="w-7" />}
      {templates !== undefined && templates.length > 0 && (
        <ul class={css.templates} aria-label="Templates">
          {templates.map((template) => (
            <li key={template.id} class={css.template}>
              <button
                type="button"
                class={css.choice}
                aria-pressed={template.id === state.templateId}
                onClick={() => state.choose(template.id)}
              >
                <DesignPicture design={template.design as DesignInput} />
                <span class="one-line">{template.name}</span>
              </button>
              {canEdit.value && (
                <TemplateMenu
                  template={template}
                  onRename={() => setNamed(template)}
                  onUpdate={() => void save(template)}
                  onRemove={() => void remove(template)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {templates?.length === 0 && (
        <p class="small muted">
          {canEdit.value
            ? "Save a design as a template to reuse it here and in the API."
            : "Editors and owners can save designs here."}
        </p>
      )}
      {canEdit.value && (
        <div class="row wrap">
          {shown && state.isChanged && (
            <Button size="s" icon="check" onClick={() => void save(shown)}>
              Save to “{shown.name}”
            </Button>
          )}
          <Button size="s" icon="plus" onClick={() => setNamed("new")}>
            Save as template
          </Button>
        </div>
      )}
      {named !== null && (
        <NameDialog
          template={named === "new" ? null : named}
          design={state.design ?? {}}
          onSaved={(template) => named === "new" && state.settle(template.id)}
          onClose={() => setNamed(null)}
        />
      )}
    </>
  );
}

interface TemplateMenuProps {
  template: Template;
  onRename: () => void;
  onUpdate: () => void;
  onRemove: () => void;
}

function TemplateMenu({ template: { name }, onRename, onUpdate, onRemove }: TemplateMenuProps) {
  const changes = [
    { label: "Rename", icon: "edit", onSelect: onRename },
    { label: "Update with this design", icon: "check", onSelect: onUpdate },
  ] as const;
  const remove = { label: "Delete", icon: "trash", isDanger: true, onSelect: onRemove } as const;
  return (
    <Menu label={`Actions for ${name}`} groups={[changes, [remove]]}>
      {(trigger) => (
        <Button kind="plain" size="s" icon="more" aria-label={`Actions for ${name}`} {...trigger} />
      )}
    </Menu>
  );
}

interface NameDialogProps {
  /** Template to rename. Null creates a new one. */
  template: Template | null;
  design: DesignInput;
  onSaved: (template: Template) => void;
  onClose: () => void;
}

const NAME_FORM: FormSpec<{ name: string }, { name?: string }> = {
  fields: { name: ({ name }) => ({ name }) },
};

function NameDialog({ template, design, onSaved, onClose }: NameDialogProps) {
  const getAttemptKey = useAttemptKey();
  const form = useForm({
    spec: NAME_FORM,
    saved: { name: template?.name ?? "" },
    save: async (_, { name }) => {
      const saved =
        template === null
          ? await createTemplate(name, design, getAttemptKey(JSON.stringify([name, design])))
          : await updateTemplate(template.id, { name });
      onSaved(saved);
      showToast(template === null ? `Saved as “${saved.name}”` : `Renamed to “${saved.name}”`);
      onClose();
    },
    close: onClose,
  });
  return (
    <FormDialog
      title={template === null ? "Save as template" : `Rename “${template.name}”`}
      form={form}
      submit={template === null ? "Save" : "Rename"}
      takesUnchanged
    >
      <TextField
        label="Name"
        placeholder="Brand"
        autoFocus
        maxLength={TEMPLATE_NAME_MAX_LENGTH}
        {...form.text("name")}
      />
    </FormDialog>
  );
}
