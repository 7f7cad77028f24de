import { connect, type Socket } from "node:net";

/** Parts of a request, written one after another. */
type Chunks = Iterable<string | Uint8Array>;

/** Time after which {@link sendRaw} stops waiting for the end of the connection. */
const WAIT_MS = 5_000;

/** Writes raw bytes to a connection. Returns the bytes received until it ends, or until the wait is over. */
export async function sendRaw(port: number, chunks: Chunks): Promise<string> {
  const socket = connect(port, "localhost");
  let received = "";
  const ended = new Promise<void>((resolve) => {
    setTimeout(resolve, WAIT_MS).unref();
    for (const event of ["end", "close", "error"]) socket.on(event, () => resolve());
  });
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
  });
  await Promise.race([write(socket, chunks), ended]);
  await ended;
  socket.destroy();
  return received;
}

/** Opens a connection and sends an incomplete request. The caller destroys the socket. */
export function openRaw(port: number, start: string): Socket {
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
      const resume = () => {
        for (const event of events) socket.off(event, resume);
        resolve();
      };
      for (const event of events) socket.on(event, resume);
    });
  }
}
