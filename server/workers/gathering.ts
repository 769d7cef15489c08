import type { Families } from './messages.ts';

/** How long the answer waits for a worker that does not report. */
const GATHER_MS_MAX = 2_000;

/** Collects one report of each worker for a worker that asked. */
export interface Gathering {
  begin(
    workers: number,
    send: (ask: number) => void,
    done: (all: readonly Families[]) => void,
  ): void;
  add(ask: number, families: Families): void;
}

export function openGathering(): Gathering {
  let asks = 0;
  const open = new Map<number, (families: Families) => void>();
  return {
    begin(workers, send, done) {
      asks += 1;
      const ask = asks;
      const found: Families[] = [];
      const end = (): void => {
        if (!open.delete(ask)) return;
        clearTimeout(late);
        done(found);
      };
      const late = setTimeout(end, GATHER_MS_MAX);
      open.set(ask, (families) => {
        found.push(families);
        if (found.length === workers) end();
      });
      send(ask);
    },
    add(ask, families) {
      open.get(ask)?.(families);
    },
  };
}
