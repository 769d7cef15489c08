import { setTimeout as sleep } from 'node:timers/promises';
import { marksOf } from '../../db/wallet/accountEvents.ts';
import type { Account } from '../../domain/account.ts';
import type { Hub } from '../kernel/hub.ts';
import { logFailure } from '../kernel/logFailure.ts';
import { perHub } from '../kernel/perHub.ts';
import { ACCOUNT_EVENTS_TOPIC } from '../topics.ts';

/** Wakes polls for events. One look twice a second serves all waits of a process in one query. */
interface AccountWatch {
  /** True when something happened since `mark` was read; false when `ended` is raised. */
  moved(account: Account, mark: number, ended: AbortSignal): Promise<boolean>;
  /** How many wait now. */
  waiting(): number;
}

const LOOK_MS = 500;

interface Wait {
  readonly account: Account;
  readonly mark: number;
  readonly answer: (moved: boolean) => void;
}

const accountWatch = perHub(openWatch);

function openWatch(hub: Hub): AccountWatch {
  const waits = new Set<Wait>();
  let isLooking = false;
  const look = async (): Promise<void> => {
    isLooking = true;
    while (waits.size > 0) {
      await sleep(LOOK_MS, undefined, { ref: false });
      await lookOnce(hub, waits).catch((error: unknown) => {
        logFailure(hub.log, error, 'a look for events failed');
      });
    }
    isLooking = false;
  };
  return {
    moved(account, mark, ended) {
      if (ended.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const leave = (): void => wait.answer(false);
        const wait: Wait = {
          account,
          mark,
          answer(moved) {
            waits.delete(wait);
            ended.removeEventListener('abort', leave);
            resolve(moved);
          },
        };
        ended.addEventListener('abort', leave, { once: true });
        waits.add(wait);
        if (!isLooking) void look();
      });
    },
    waiting: () => waits.size,
  };
}

async function lookOnce(hub: Hub, waits: ReadonlySet<Wait>): Promise<void> {
  const asked = [...waits];
  if (asked.length === 0) return;
  const accounts = [...new Set(asked.map(({ account }) => account))];
  const marks = await hub.store.readOne((db) => marksOf(db, accounts));
  for (const { account, mark, answer } of asked) {
    if ((marks.get(account) ?? 0) !== mark) answer(true);
  }
}

/** Waits for something to happen to an account; false when `ms` are over, or the caller is gone. */
export async function waitForEvents(
  hub: Hub,
  account: Account,
  mark: number,
  ms: number,
  gone: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const topic = ACCOUNT_EVENTS_TOPIC;
  const stop = AbortSignal.any([gone, over.signal]);
  // It is never published: this is the wait that ends with its time, its caller and the hub.
  const slept = hub.notifier
    .wait(topic, hub.notifier.published(topic), ms, stop)
    .then(() => over.abort());
  const moved = await accountWatch(hub).moved(account, mark, over.signal);
  over.abort();
  await slept;
  return moved;
}
