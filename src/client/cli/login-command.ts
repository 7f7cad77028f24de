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
    .description("store the service and an API key, which is asked for or read from the input")
    .argument("<api-url>", "address of the API, such as https://api.example.com")
    .action((apiUrl: string) => login(context(), apiUrl));
  program
    .command("logout")
    .description("delete the stored key; it works on until it is revoked")
    .action(() => deleteConfiguration(context().environment));
  program
    .command("whoami")
    .description("show the workspace of the key")
    .action(() => showWorkspace(context()));
}

async function login(context: CommandContext, apiUrl: string): Promise<void> {
  const url = parseApiUrl(apiUrl);
  const key = await context.terminal.readSecret("API key: ");
  if (!KEY.test(key)) throw new CommandError("the key must be the svc_pk_… that was shown once", EXIT.usage);
  const client = createSignpostClient({ apiUrl: url, key });
  const { data } = await callService(client.GET("/v1/workspace"));
  const path = storeConfiguration(context.environment, { apiUrl: url, key });
  context.terminal.note(`The key of the workspace ${data.name} is stored in ${path}.\n`);
}

async function showWorkspace(context: CommandContext): Promise<void> {
  const { data } = await callService(openClient(context).GET("/v1/workspace"));
  writeResult(context, data, `${cleanText(data.name)}, plan ${data.plan}`);
}

function parseApiUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new CommandError(`${text} is no address; it begins with https://`, EXIT.usage);
  return new URL(text).origin;
}
