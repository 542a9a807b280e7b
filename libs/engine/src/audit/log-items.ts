import type { Checkpoint } from '#contracts/checkpoints.js';
import type { Leaf, TransparencyLog } from '#contracts/transparency-log.js';

const AT_ONCE = 2_000;

/** A leaf, or the checkpoint of all leaves before it. */
export type LogItem = Leaf | Checkpoint;

/** The log from its first leaf to the newest checkpoint, in slices. Empty without a checkpoint. */
export async function* logItems(log: TransparencyLog): AsyncGenerator<readonly LogItem[]> {
  const end = (await log.newest())?.size ?? 0;
  let [next, ...others] = await log.checkpoints(0, AT_ONCE);
  for (let size = 0; size < end;) {
    const leaves = await log.leaves(size, Math.min(AT_ONCE, end - size));
    if (leaves.length === 0) throw new Error(`The log has no leaf ${size}, but a checkpoint covers it.`);
    const items: LogItem[] = [];
    for (const leaf of leaves) {
      items.push(leaf);
      size += 1;
      if (next?.size !== size) continue;
      items.push(next);
      if (others.length === 0) others = [...(await log.checkpoints(size, AT_ONCE))];
      next = others.shift();
    }
    yield items;
  }
}
