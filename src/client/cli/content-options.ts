import { type Command, Option } from "commander";
import { CONTENT_FIELDS, CONTENT_TYPES, parseContent } from "../../qr/content-fields.ts";
import { type ContentType, encodeStructured } from "../../qr/structured-content.ts";
import { CommandError, EXIT } from "./exit-code.ts";

/** Options of `signpost qr` for content other than links. */
export type ContentOptions = { text?: string } & { [Type in ContentType]?: string[] };

const NAMES: Record<ContentType, string> = {
  wifi: "a Wi-Fi login",
  vcard: "a contact",
  email: "an email to send",
  phone: "a number to call",
  sms: "a text message to send",
  place: "a place on the map",
  event: "a calendar event",
};

/** Adds the options for other content. */
export function addContentOptions(command: Command): void {
  const group = "Other content, as field=value:";
  command.addOption(new Option("--text <text>", "any text or URL").helpGroup(group));
  for (const type of CONTENT_TYPES) {
    const fields = CONTENT_FIELDS[type].map(({ name, isRequired }) => (isRequired ? name : `[${name}]`));
    const option = new Option(`--${type} <field=value...>`, `${NAMES[type]}: ${fields.join(", ")}`);
    command.addOption(option.helpGroup(group));
  }
}

/** Returns the text of the content that the options describe, or null if they describe none. */
export function readContent(options: ContentOptions): string | null {
  const types = CONTENT_TYPES.filter((type) => options[type] !== undefined);
  if (types.length + (options.text === undefined ? 0 : 1) > 1)
    throw new CommandError("a QR code has one content", EXIT.usage);
  const [type] = types;
  if (type === undefined) return options.text ?? null;
  const { content, problem } = parseContent(type, parseFields(type, options[type] ?? []));
  if (problem !== null) throw new CommandError(`--${type}: ${problem.field} ${problem.message}`, EXIT.usage);
  return encodeStructured(content);
}

function parseFields(type: ContentType, words: readonly string[]): Record<string, string> {
  const names = CONTENT_FIELDS[type].map(({ name }) => name);
  return Object.fromEntries(
    words.map((word) => {
      const [name = ""] = word.split("=", 1);
      if (!word.includes("=") || !names.includes(name))
        throw new CommandError(
          `--${type}: ${word} must be field=value, where field is one of ${names.join(", ")}`,
          EXIT.usage,
        );
      return [name, word.slice(name.length + 1)];
    }),
  );
}
