import { defined } from '../../domain/defined.ts';
import type { Offer, Provider } from '../../domain/models/offer.ts';
import { isAnswerPiece, type AnswerPiece } from '../../domain/models/piece.ts';
import { sentence } from '../../domain/models/receipt.ts';
import type { Hub, ModelFault } from '../kernel/hub.ts';

import { dimensionsOf } from './admit.ts';
import type { Tally } from './tally.ts';

export type Heard =
  | { readonly is: 'whole' }
  /** The rest is no longer wanted. */
  | { readonly is: 'left' }
  /** `ofRequest`: a provider rejected the request itself, so no other provider is asked. */
  | { readonly is: 'failed'; readonly why: string; readonly ofRequest?: true };

export interface Listening {
  readonly tally: Tally;
  readonly signal: AbortSignal;
  /** Hands a piece on; ends when there is room for the next. */
  readonly take: (piece: AnswerPiece) => Promise<void>;
}

/**
 * Asks one provider after the other until one gives a token (choices models.providers). After that
 * no other provider can continue the answer, and what breaks off fails the call.
 */
export async function askInTurn(hub: Hub, listening: Listening): Promise<Heard> {
  const { tally, signal } = listening;
  const { offer } = tally.admitted;
  const startedMs = hub.clock.elapsedMs();
  const elapsedMs = (): number => Math.max(0, Math.round(hub.clock.elapsedMs() - startedMs));
  let last: ModelFault | undefined;
  for (const provider of tally.session.ordered(hub.models.order(offer))) {
    if (signal.aborted)
      return { is: 'failed', why: 'The caller left before a provider was asked.' };
    const askedMs = elapsedMs();
    const fault = await askOne(hub, listening, provider, elapsedMs);
    if (signal.aborted && fault !== undefined) return { is: 'left' };
    measure(hub, tally, { offer, provider, fault, askedMs });
    if (fault === undefined) return { is: 'whole' };
    if (tally.hasTokens) return { is: 'failed', why: fault.why };
    tally.provider = undefined;
    tally.refused.push({ provider: provider.name, why: sentence(fault.why) });
    last = fault;
    if (fault.ofRequest === true) break;
  }
  const { why = 'The model has no provider.', ofRequest } = last ?? {};
  return { is: 'failed', why, ...defined({ ofRequest }) };
}

interface Turn {
  readonly offer: Offer;
  readonly provider: Provider;
  readonly fault: ModelFault | undefined;
  readonly askedMs: number;
}

function measure(hub: Hub, tally: Tally, { offer, provider, fault, askedMs }: Turn): void {
  // A request that no model takes says nothing about the provider.
  if (fault?.ofRequest === true) return;
  const { firstTokenMs, lastTokenMs } = tally;
  hub.models.report(offer, provider, fault === undefined);
  tally.turns.push({
    provider,
    ok: fault === undefined,
    ...(firstTokenMs !== undefined && { firstTokenMs: Math.max(0, firstTokenMs - askedMs) }),
    tokensMs: firstTokenMs === undefined ? 0 : Math.max(0, lastTokenMs - firstTokenMs),
  });
}

/** Reads one provider to its end; answers what was wrong with it, or nothing. */
async function askOne(
  hub: Hub,
  { tally, signal, take }: Listening,
  provider: Provider,
  elapsedMs: () => number,
): Promise<ModelFault | undefined> {
  const { prompt, maxTokens } = tally.admitted;
  tally.provider = provider;
  const patience = openPatience(provider, signal);
  const bytesMax = maxTokens * BYTES_A_TOKEN_MAX + BYTES_BESIDE;
  try {
    const dimensions = dimensionsOf(tally.admitted);
    const asked = { provider, prompt, maxTokens, dimensions, signal: patience.signal };
    for await (const part of hub.models.ask(asked)) {
      if (part.is === 'fault') return { ...part, why: patience.why() ?? part.why };
      tally.take(part, elapsedMs());
      if (!isAnswerPiece(part)) continue;
      patience.pause();
      await take(part);
      if (signal.aborted) return { is: 'fault', why: 'The caller left.' };
      if (tally.answerBytes > bytesMax) {
        return { is: 'fault', why: 'The provider writes on past max_tokens.' };
      }
      patience.resume();
    }
    return wholeOrNot(tally, patience.why());
  } finally {
    patience.end();
  }
}

/** No token of any model has more bytes; an answer beyond that ignores its limit of tokens. */
const BYTES_A_TOKEN_MAX = 128;
const BYTES_BESIDE = 4_096;

/** An answer is whole when it says why it ended, or at least what it used. */
function wholeOrNot(tally: Tally, late: string | undefined): ModelFault | undefined {
  if (late !== undefined) return { is: 'fault', why: late };
  if (tally.finishReason !== undefined || tally.claimed !== undefined) return undefined;
  return { is: 'fault', why: 'The provider broke off before the end of its answer.' };
}

interface Patience {
  readonly signal: AbortSignal;
  /** The caller does not read, which is no fault of the provider's. */
  pause(): void;
  resume(): void;
  /** Why the wait ended, when it ended it. */
  why(): string | undefined;
  end(): void;
}

/** Waits for the first token, and for the next, as long as the provider's settings say. */
function openPatience({ firstTokenMs, idleMs }: Provider, outer: AbortSignal): Patience {
  const controller = new AbortController();
  let late: string | undefined;
  const arm = (ms: number, why: string): NodeJS.Timeout =>
    setTimeout(() => {
      late = why;
      controller.abort();
    }, ms);
  const leave = (): void => controller.abort();
  if (outer.aborted) leave();
  outer.addEventListener('abort', leave, { once: true });
  let timer = arm(firstTokenMs, `The provider gave no token within ${firstTokenMs} ms.`);
  return {
    signal: controller.signal,
    pause: () => clearTimeout(timer),
    resume: () => {
      clearTimeout(timer);
      timer = arm(idleMs, `The provider was silent for ${idleMs} ms.`);
    },
    why: () => late,
    end: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', leave);
    },
  };
}
