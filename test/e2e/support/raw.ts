import { connect, type Socket } from "node:net";

/** What is written on a connection, one after the other. */
type Chunks = Iterable<string | Uint8Array>;

/** Writes on a connection what no client library would, and answers with what comes back until it ends, or `waitMs`. */
export async function sendRaw(port: number, chunks: Chunks, waitMs = 5_000): Promise<string> {
  const socket = connect(port, "localhost");
  let answer = "";
  const ended = new Promise<void>((resolve) => {
    setTimeout(resolve, waitMs).unref();
    for (const event of ["end", "close", "error"]) socket.on(event, () => resolve());
  });
  socket.on("data", (bytes) => {
    answer += bytes.toString("latin1");
  });
  await Promise.race([write(socket, chunks), ended]);
  await ended;
  socket.destroy();
  return answer;
}

/** Leaves a connection open in the middle of a request; it goes with what is answered. */
export function holdRaw(port: number, start: string): Socket {
  const socket = connect(port, "localhost");
  socket.on("error", () => {});
  socket.write(start);
  return socket;
}

async function write(socket: Socket, chunks: Chunks): Promise<void> {
  for (const chunk of chunks) {
    if (socket.destroyed) return;
    if (socket.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      const events = ["drain", "close"];
      const go = () => {
        for (const event of events) socket.off(event, go);
        resolve();
      };
      for (const event of events) socket.on(event, go);
    });
  }
}
