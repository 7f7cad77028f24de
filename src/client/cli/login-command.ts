import type { Command } from "commander";
import { createSignpostClient } from "../client.ts";
import { callService } from "./api-call.ts";
import type { CommandContext } from "./command-context.ts";
import { openClient, writeResult } from "./command-context.ts";
import { deleteConfiguration, storeConfiguration } from "./configuration.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { cleanText } from "./table.ts";

/** Format of an API key. */
const KEY = /^svc_pk_[A-Za-z0-9]{8}\.[A-Za-z0-9]{64}$/;

/** Adds the `login`, `logout` and `whoami` commands. */
export function addLoginCommands(program: Command, context: () => CommandContext): void {
  program
    .command("login")
    .description("sign in with an API key, entered at the prompt or piped to standard input")
    .argument("<api-url>", "API URL, such as https://api.example.com")
    .action((apiUrl: string) => login(context(), apiUrl));
  program
    .command("logout")
    .description("delete the stored API key (this does not revoke it)")
    .action(() => deleteConfiguration(context().environment));
  program
    .command("whoami")
    .description("show the workspace the API key belongs to")
    .action(() => showWorkspace(context()));
}

async function login(context: CommandContext, apiUrl: string): Promise<void> {
  const url = parseApiUrl(apiUrl);
  const key = await context.terminal.readSecret("API key: ");
  if (!KEY.test(key))
    throw new CommandError("invalid API key: expected a key that starts with svc_pk_", EXIT.usage);
  const client = createSignpostClient({ apiUrl: url, key });
  const { data } = await callService(client.GET("/v1/workspace"));
  const path = storeConfiguration(context.environment, { apiUrl: url, key });
  context.terminal.note(`Signed in to ${data.name}. The key is stored in ${path}.\n`);
}

async function showWorkspace(context: CommandContext): Promise<void> {
  const { data } = await callService(openClient(context).GET("/v1/workspace"));
  writeResult(context, data, `${cleanText(data.name)}, plan ${data.plan}`);
}

function parseApiUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new CommandError(`${text} is not a URL; it must start with https://`, EXIT.usage);
  return new URL(text).origin;
}
