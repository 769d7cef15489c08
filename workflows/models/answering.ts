import { isWords, type AnswerPiece } from '../../domain/models/piece.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { Hub } from '../kernel/hub.ts';
import { logFailure } from '../kernel/logFailure.ts';
import type { AdmittedCall } from './admit.ts';
import { askInTurn } from './askInTurn.ts';
import { conclude } from './conclude.ts';
import { endingOf, failedFor, servedModelOf } from './ending.ts';
import { keepLease } from './lease.ts';
import { openPipe, type Pipe } from './pipe.ts';
import { sessionOf } from './sessions.ts';
import { Tally } from './tally.ts';

/** An answer under way. It goes on to its end with or without a reader. */
export interface Answering {
  /** Readable once; a reader that stops closes the call early. */
  readonly pieces: AsyncIterable<AnswerPiece>;
  /** True when the first piece is there, false when the call is over without one. */
  readonly begun: Promise<boolean>;
  /** The receipt of the call that is over; money has moved. */
  readonly receipt: Promise<ModelReceipt>;
  /** The model that answers; undefined before the first piece, and when it is the one asked for. */
  servedModel(): string | undefined;
  /** Whether a provider took the request itself for wrong; known when the call is over. */
  isOfRequest(): boolean;
}

export interface AnswerWanted {
  readonly admitted: AdmittedCall;
  /** Raised when the caller left. */
  readonly gone: AbortSignal;
  /** Whether pieces go out as they come, so that what was given is known when the hub is killed. */
  readonly isStream: boolean;
}

/** Begins to ask the providers of a call whose money is held. */
export function beginAnswer(hub: Hub, receipt: ModelReceipt, wanted: AnswerWanted): Answering {
  const pipe = openPipe<AnswerPiece>();
  const tally = new Tally(wanted.admitted, sessionOf(hub, receipt, wanted.admitted));
  const stop = new AbortController();
  let begin: Running['begin'] = () => undefined;
  const begun = new Promise<boolean>((resolve) => (begin = resolve));
  const leave = (): void => {
    stop.abort();
    pipe.drop();
  };
  if (wanted.gone.aborted) leave();
  wanted.gone.addEventListener('abort', leave, { once: true });
  const running: Running = { hub, receipt, wanted, tally, pipe, stop, begin };
  const over = run(running).finally(() => {
    wanted.gone.removeEventListener('abort', leave);
    begin(false);
    pipe.close();
  });
  hub.models.track(over);
  const isOfRequest = (): boolean => running.ofRequest === true;
  const servedModel = (): string | undefined => servedModelOf(tally);
  return { pieces: readable(pipe, leave), begun, receipt: over, servedModel, isOfRequest };
}

interface Running {
  readonly hub: Hub;
  readonly receipt: ModelReceipt;
  readonly wanted: AnswerWanted;
  readonly tally: Tally;
  readonly pipe: Pipe<AnswerPiece>;
  readonly stop: AbortController;
  readonly begin: (hasPiece: boolean) => void;
  ofRequest?: boolean;
}

async function* readable(
  pipe: Pipe<AnswerPiece>,
  leave: () => void,
): AsyncGenerator<AnswerPiece, void> {
  let whole = false;
  try {
    yield* pipe;
    whole = true;
  } finally {
    if (!whole) leave();
  }
}

async function run(running: Running): Promise<ModelReceipt> {
  const { hub, receipt, tally, stop } = running;
  const { wanted } = running;
  const left = keepLease(hub, receipt, { tally, stop, isStream: wanted.isStream });
  try {
    const heard = await askInTurn(hub, {
      tally,
      signal: stop.signal,
      take: (part) => deliver(running, part),
    });
    running.ofRequest = heard.is === 'failed' && heard.ofRequest === true;
    const ending = await endingOf(hub, tally, heard);
    return await conclude(hub, { receipt, turns: tally.turns, ending });
  } catch (error) {
    logFailure(hub.log, error, 'a model call failed within the hub', { call: receipt.id });
    const reason = 'The hub failed during the call.';
    const ending = { ...(await failedFor(hub, tally)), reason };
    return conclude(hub, { receipt, turns: tally.turns, ending });
  } finally {
    left();
  }
}

/** Waits for a caller that does not read, and leaves it after a minute. */
async function deliver({ pipe, begin, stop }: Running, piece: AnswerPiece): Promise<void> {
  const size = sizeOf(piece);
  const pushed = pipe.push(piece, size);
  begin(true);
  const stalled = setTimeout(() => {
    stop.abort();
    pipe.drop();
  }, READER_MS_MAX);
  await pushed;
  clearTimeout(stalled);
}

function sizeOf(piece: AnswerPiece): number {
  if (isWords(piece)) return piece.text.length;
  if (piece.is === 'vectors') return 1;
  return JSON.stringify(piece).length;
}

const READER_MS_MAX = 60_000;
