import {
  lockModelCall,
  readModelCall,
  renewModelCall,
  updateModelCall,
} from '../../db/models/calls.ts';
import { insertModelAttempt } from '../../db/models/attempts.ts';
import { defined } from '../../domain/defined.ts';
import { plus, seconds } from '../../domain/instant.ts';
import {
  LEASE_SECONDS,
  RENEW_FIRST_MS,
  RENEW_MS,
  sentence,
  type Ending,
  type ModelReceipt,
} from '../../domain/models/receipt.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { logFailure } from '../../server/hub/logFailure.ts';
import type { AdmittedCall } from './admit.ts';
import { askInTurn, type Heard } from './askInTurn.ts';
import { settleCall } from './money.ts';
import type { AnswerPiece } from './piece.ts';
import { openPipe, type Pipe } from './pipe.ts';
import { Tally } from './tally.ts';

/** An answer under way. It goes on to its end whether or not somebody reads. */
export interface Answering {
  /** To be read once; whoever stops reading closes the call early. */
  readonly pieces: AsyncIterable<AnswerPiece>;
  /** True when the first piece is there, false when the call is over without one. */
  readonly begun: Promise<boolean>;
  /** The receipt of the call that is over; money has moved. */
  readonly receipt: Promise<ModelReceipt>;
}

/** What a call is made of, beside its receipt. */
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
  const tally = new Tally(wanted.admitted);
  const stop = new AbortController();
  let begin: Running['begin'] = () => undefined;
  const begun = new Promise<boolean>((resolve) => (begin = resolve));
  const leave = (): void => {
    stop.abort();
    pipe.drop();
  };
  if (wanted.gone.aborted) leave();
  wanted.gone.addEventListener('abort', leave, { once: true });
  const running = { hub, receipt, wanted, tally, pipe, stop, begin };
  const over = run(running).finally(() => {
    wanted.gone.removeEventListener('abort', leave);
    begin(false);
    pipe.close();
  });
  hub.models.track(over);
  return { pieces: readable(pipe, leave), begun, receipt: over };
}

interface Running {
  readonly hub: Hub;
  readonly receipt: ModelReceipt;
  readonly wanted: AnswerWanted;
  readonly tally: Tally;
  readonly pipe: Pipe<AnswerPiece>;
  readonly stop: AbortController;
  readonly begin: (hasPiece: boolean) => void;
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
  const startedMs = hub.clock.elapsedMs();
  const stopRenewing = renewFromTimeToTime(running);
  try {
    const heard = await askInTurn(hub, {
      tally,
      signal: stop.signal,
      elapsedMs: () => Math.max(0, Math.round(hub.clock.elapsedMs() - startedMs)),
      take: (part) => deliver(running, part),
    });
    return await conclude(hub, receipt, tally, await endingOf(hub, tally, heard));
  } catch (error) {
    logFailure(hub.log, error, 'a model call failed within the hub', { call: receipt.id });
    const reason = 'The hub failed during the call.';
    return conclude(hub, receipt, tally, { ...(await failedFor(hub, tally)), reason });
  } finally {
    stopRenewing();
  }
}

/** Waits for a caller that does not read, and leaves it after a minute. */
async function deliver({ pipe, begin, stop }: Running, piece: AnswerPiece): Promise<void> {
  const size = piece.is === 'text' ? piece.text.length : JSON.stringify(piece.calls).length;
  const pushed = pipe.push(piece, size);
  begin(true);
  const stalled = setTimeout(() => {
    stop.abort();
    pipe.drop();
  }, READER_MS_MAX);
  await pushed;
  clearTimeout(stalled);
}

const READER_MS_MAX = 60_000;

function renewFromTimeToTime(running: Running): () => void {
  let timer = setTimeout(next, RENEW_FIRST_MS);
  function next(): void {
    timer = setTimeout(next, RENEW_MS);
    void renew(running);
  }
  return () => clearTimeout(timer);
}

/** Says that the call is still made, and what a stream has given: a killed hub charges that. */
async function renew({ hub, receipt, wanted, tally, stop }: Running): Promise<void> {
  try {
    const output = wanted.isStream && tally.hasTokens ? await tally.count(hub) : 0;
    const { provider } = tally;
    const renewed = await hub.store.write((tx) =>
      renewModelCall(tx, {
        ...receipt,
        resolveAt: plus(hub.clock.now(), seconds(LEASE_SECONDS)),
        usage: { ...receipt.usage, output: Math.min(output, receipt.maxTokens) },
        price: tally.priceOf(),
        ...(provider !== undefined && { servedBy: provider.name }),
      }),
    );
    // Somebody took it for left behind and ended it, so nothing more of it is paid.
    if (!renewed) stop.abort();
  } catch (error) {
    logFailure(hub.log, error, 'a model call was not renewed', { call: receipt.id });
  }
}

async function endingOf(hub: Hub, tally: Tally, heard: Heard): Promise<Ending> {
  const { firstTokenMs, provider, refused, finishReason } = tally;
  const common = {
    price: tally.priceOf(),
    refused: [...refused],
    ...defined({ firstTokenMs }),
    ...(provider !== undefined && { servedBy: provider.name }),
  };
  if (heard.is === 'failed') {
    return { ...common, ...(await failedFor(hub, tally)), reason: sentence(heard.why) };
  }
  const isWhole = heard.is === 'whole';
  const usage = await tally.usage(hub, isWhole);
  if (!isWhole) {
    const reason = 'The caller left; the prompt and what was generated by then are charged.';
    return { ...common, outcome: 'closed-early', usage, reason };
  }
  return {
    ...common,
    outcome: 'completed',
    usage,
    finishReason: finishReason ?? (usage.output >= tally.admitted.maxTokens ? 'length' : 'stop'),
  };
}

/** A failed call shows what was given by then, and costs nothing. */
async function failedFor(hub: Hub, tally: Tally): Promise<Ending> {
  const output = await tally.count(hub).catch(() => 0);
  const usage = { input: tally.admitted.promptTokens, output, source: 'counted' } as const;
  const { firstTokenMs, provider } = tally;
  return {
    outcome: 'failed',
    usage,
    price: tally.priceOf(),
    refused: [...tally.refused],
    ...defined({ firstTokenMs }),
    ...(provider !== undefined && { servedBy: provider.name }),
  };
}

/**
 * Charges, returns and measures in one transaction. A call that somebody else ended meanwhile is
 * left as it is, so it is never both charged and returned.
 */
async function conclude(
  hub: Hub,
  { id }: ModelReceipt,
  tally: Tally,
  ending: Ending,
): Promise<ModelReceipt> {
  const receipt = await hub.store.write(async (tx) => {
    const running = await lockModelCall(tx, id);
    if (running === undefined) return readModelCall(tx, id);
    const settled = await settleCall(tx, hub, running, ending);
    await updateModelCall(tx, settled);
    for (const [n, turn] of tally.turns.entries()) {
      const { provider, ...measured } = turn;
      const served = provider.name === ending.servedBy;
      await insertModelAttempt(tx, {
        ...measured,
        callId: id,
        n,
        model: settled.model,
        provider: provider.name,
        tokens: served ? ending.usage.output : 0,
        at: hub.clock.now(),
      });
    }
    return settled;
  });
  if (receipt === undefined) throw new Error(`model call ${id} has no row`);
  return receipt;
}
