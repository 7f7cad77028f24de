import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Holds a folder for this process: false if another holds it. The hold is a listening socket, which the system lets
 * go with the process however it ends; a file with a process id would outlive a crash and name a stranger.
 */
export async function hold(folder: string): Promise<boolean> {
  const socket = socketOf(folder);
  if (await isHeld(socket)) return false;
  rmSync(socket, { force: true });
  return new Promise((done) => {
    const server = createServer((peer) => peer.destroy());
    server.once("error", () => done(false));
    server.listen(socket, () => done(true));
    server.unref();
  });
}

// A socket's path may have about 100 characters, a folder's more.
function socketOf(folder: string): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return join(tmpdir(), `signpost-${name}.sock`);
}

function isHeld(socket: string): Promise<boolean> {
  return new Promise((done) => {
    const peer = connect(socket);
    peer.once("connect", () => {
      peer.destroy();
      done(true);
    });
    peer.once("error", () => done(false));
  });
}
