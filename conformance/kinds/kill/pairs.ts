import assert from 'node:assert/strict';
import type { Agent } from '../../harness/agents.ts';

/** A requester and a worker, who live one task after the other. */
export type Pair = readonly [requester: Agent, worker: Agent];

/** The agents two by two. */
export function pairs(agents: readonly Agent[]): readonly Pair[] {
  return Array.from({ length: agents.length / 2 }, (_, lane) => {
    const [requester, worker] = [agents[2 * lane], agents[2 * lane + 1]];
    assert.ok(requester !== undefined && worker !== undefined);
    return [requester, worker] as const;
  });
}

export interface Living<Life> {
  readonly agents: readonly Agent[];
  /** Lives that earlier kills cut off. */
  readonly earlier: readonly Life[];
  readonly begin: (pair: Pair, n: number) => Life;
  /** Goes on where the last answer left it. */
  readonly live: (one: Life) => Promise<unknown>;
  readonly isOver: (one: Life) => boolean;
}

/**
 * All pairs live until the hub is killed. Each ends first what an earlier kill cut off, since a
 * worker may hold few tasks at a time. Answers what was begun, from its beginning on.
 */
export function liveUntilKilled<Life extends { readonly worker: Agent }>({
  agents,
  earlier,
  begin,
  live,
  isOver,
}: Living<Life>): { readonly begun: readonly Life[]; readonly over: Promise<unknown> } {
  const begun: Life[] = [];
  const lane = async (pair: Pair): Promise<void> => {
    try {
      for (const one of earlier) if (one.worker === pair[1] && !isOver(one)) await live(one);
      for (let n = 0; ; n += 1) {
        const one = begin(pair, n);
        begun.push(one);
        await live(one);
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
    }
  };
  return { begun, over: Promise.all(pairs(agents).map(lane)) };
}
