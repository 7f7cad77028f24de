import { createServer } from "node:http";
import type { StateFolder } from "../state.ts";

/**
 * Starts the server that receives the webhooks of the demo workspace, on the port of earlier starts, and returns its
 * URL. It accepts every delivery and keeps nothing. Only this machine can connect to it.
 */
export async function startReceiver(state: StateFolder): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("Content-Type", "application/json");
    response.end('{"ok":true}');
  });
  const port = await new Promise<number>((done) => {
    server.on("error", () => {
      const wanted = state.saved.receiverPort ?? 0;
      console.warn(`Port ${wanted} is in use, so deliveries to the demo's webhook endpoints will fail.`);
      done(wanted);
    });
    server.listen(state.saved.receiverPort ?? 0, "127.0.0.1", () => {
      const address = server.address();
      done(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  server.unref();
  state.save({ receiverPort: port });
  return `http://127.0.0.1:${port}`;
}
