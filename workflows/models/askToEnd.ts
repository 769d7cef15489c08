import { wholeAnswer, type Answered, type AnswerPiece } from '../../domain/models/piece.ts';
import type { Ending, ModelReceipt } from '../../domain/models/receipt.ts';
import type { Hub } from '../kernel/hub.ts';
import type { AdmittedCall } from './admit.ts';
import { askInTurn, type Heard } from './askInTurn.ts';
import { endingOf } from './ending.ts';
import { keepLease } from './lease.ts';
import { sessionOf } from './sessions.ts';
import { Tally } from './tally.ts';

/** A call of the desk for a service of the hub: over, and not paid yet. */
export interface AskedToEnd {
  readonly heard: Heard;
  readonly answer: Answered;
  readonly receipt: ModelReceipt;
  readonly tally: Tally;
  /** Its own part of the hold is the most that it costs: the service's price is held as well. */
  readonly ending: Ending;
}

/** Asks the providers of a call whose money is held, and keeps its lease until the end. */
export async function askToEnd(
  hub: Hub,
  receipt: ModelReceipt,
  admitted: AdmittedCall,
  gone: AbortSignal,
): Promise<AskedToEnd> {
  const tally = new Tally(admitted, sessionOf(hub, receipt, admitted));
  const stop = new AbortController();
  const leave = (): void => stop.abort();
  if (gone.aborted) leave();
  gone.addEventListener('abort', leave, { once: true });
  const left = keepLease(hub, receipt, { tally, stop, isStream: false });
  const pieces: AnswerPiece[] = [];
  try {
    const heard = await askInTurn(hub, {
      tally,
      signal: stop.signal,
      take: async (piece) => void pieces.push(piece),
    });
    const ending = { ...(await endingOf(hub, tally, heard)), most: admitted.worst };
    return { heard, answer: await wholeAnswer(inOrder(pieces)), receipt, tally, ending };
  } finally {
    left();
    gone.removeEventListener('abort', leave);
  }
}

async function* inOrder<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
