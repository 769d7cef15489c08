import { headOf } from '../../db/tasks/queue.ts';
import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import { restsOnRequester } from '../../domain/tasks/claim.ts';
import { isQueued, type Task } from '../../domain/tasks/model.ts';
import type { Hub } from '../kernel/hub.ts';
import { perHub } from '../kernel/perHub.ts';
import { openLine, type Line, type Offer } from './line.ts';

/** The line of one network, with how far its tasks are known. */
export interface ClaimLine {
  readonly line: Line;
  /** As of when its tasks were read; undefined when something came that has to be read. */
  readAt: Instant | undefined;
  /** Reads the queue soon for the waiting polls; set by the reader. */
  readSoon: (() => void) | undefined;
  /** Takes in what was read since `begin`, and then what this process committed meanwhile. */
  readonly reading: {
    begin(): void;
    end(offers: readonly Offer[], isAll: boolean): void;
    fail(): void;
  };
  /** Applies what this process committed. */
  readonly report: (change: (line: Line) => void) => void;
}

export const claimLines = perHub(() => new Map<NetworkId, ClaimLine>());

export function claimLineOf(hub: Hub, network: NetworkId): ClaimLine {
  const lines = claimLines(hub);
  const known = lines.get(network) ?? openClaimLine();
  lines.set(network, known);
  return known;
}

function openClaimLine(): ClaimLine {
  const line = openLine();
  /** Changes committed while the queue is read, which may not see them. */
  let meanwhile: ((line: Line) => void)[] | undefined;
  return {
    line,
    readAt: undefined,
    readSoon: undefined,
    reading: {
      begin: () => (meanwhile = []),
      end(offers, isAll) {
        line.found(offers, isAll);
        for (const change of meanwhile ?? []) change(line);
        meanwhile = undefined;
      },
      fail: () => (meanwhile = undefined),
    },
    report(change) {
      change(line);
      meanwhile?.push(change);
    },
  };
}

/**
 * A task's publication is on its way: its poll claims it in the same batch, right behind it. Where
 * they are parted the claim finds none, and the poll stays until the commit is reported.
 */
export function taskComes(hub: Hub, task: Task): void {
  const known = task.reward && claimLines(hub).get(task.reward.network);
  const offer = { ...headOf(task), isLast: false };
  if (isQueued(task) && !restsOnRequester(task) && !offer.isRare) known?.line.announced(offer);
}

/** A commit of this process made the task claimable. */
export function taskOpened(hub: Hub, task: Task): void {
  const known = task.reward && claimLines(hub).get(task.reward.network);
  if (known === undefined) return;
  // Whether the task is last in the queue depends on how its requester treated others, which is
  // read. Nor is anything stored for a line without polls.
  if (restsOnRequester(task) || known.line.size() === 0) {
    known.report(() => (known.readAt = undefined));
    known.readSoon?.();
  } else known.report((line) => line.opened({ ...headOf(task), isLast: false }));
}

/** A commit of this process took the task from the queue. */
export function taskLeft(hub: Hub, task: Task): void {
  const known = task.reward && claimLines(hub).get(task.reward.network);
  known?.report((line) => line.left(task.id));
}
