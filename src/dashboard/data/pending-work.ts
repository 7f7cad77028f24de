/** Collects work that has to end before the page may show another workspace. */

interface PendingWork {
  end: Promise<unknown>;
  hurry: () => void;
}

const pending = new Set<PendingWork>();

/** Adds work until its promise settles. `hurry` is called to end the work early. */
export function trackWork(end: Promise<unknown>, hurry: () => void = () => {}): void {
  const work = { end, hurry };
  pending.add(work);
  const remove = () => pending.delete(work);
  end.then(remove, remove);
}

/** Ends all work, including work that it starts. `onWait` is called if there is any. */
export async function finishWork(onWait: () => void): Promise<void> {
  if (pending.size > 0) onWait();
  while (pending.size > 0) {
    for (const { hurry } of pending) hurry();
    await Promise.allSettled([...pending].map(({ end }) => end));
  }
}
