/** Kinds of messages that the Worker sends to itself. */
export const MESSAGE_KINDS = ["scans", "page-hits", "deliveries"] as const;

export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Parts of a queue's name: the kind of its messages, and whether they come from another queue that gave up. */
export interface QueueName {
  kind: MessageKind;
  isDead: boolean;
}

/**
 * Parses the name of a queue. Only its end is read, `-scans`, `-scans-spare` or `-scans-dead`, because its beginning is
 * that of the environment. Returns null for another name.
 */
export function parseQueueName(name: string): QueueName | null {
  const [, kindName, role] = /(?:^|-)(scans|page-hits|deliveries)(?:-(spare|dead))?$/.exec(name) ?? [];
  const kind = MESSAGE_KINDS.find((known) => known === kindName);
  return kind === undefined ? null : { kind, isDead: role === "dead" };
}
