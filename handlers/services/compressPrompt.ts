import { defined } from '../../domain/defined.ts';
import type { Offer } from '../../domain/models/offer.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import { compressByRule, languageOf } from '../../domain/services/compress.ts';
import { compressPrice } from '../../domain/services/prices.ts';
import { spansOf, type Kept } from '../../domain/services/protectedSpans.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { chargeInside, payingNetwork } from '../../workflows/metering/charge.ts';
import {
  endRewriting,
  endUnused,
  rewriteByModel,
  type Rewriting,
} from '../../workflows/services/rewrite.ts';
import { sizeOf, type TextSize } from '../../workflows/services/size.ts';
import { inTurns } from '../../workflows/services/steps.ts';
import { presentReceipt } from '../models/present/model.ts';

/**
 * Charges only if the saved tokens are worth more than the call costs (choices services.tools,
 * services.rewriting).
 */
export const compressPrompt: Handler<'services.compressPrompt'> = async (call, hub) => {
  const { caller: account, text, network: named, uses = 1 } = call.body;
  const offer = offerOf(hub, call.body.model);
  const network = await hub.store.read((db) => payingNetwork(hub, db, named, 'body.network'));
  await admitNow(hub, call.caller);
  const before = await sizeOf(hub, offer.counter, text);
  const around: Around = { price: compressPrice(text), network, offer, before, uses };
  const ruled = await byRule(hub, text, around);
  const rewriting = await rewritten(call, hub, around);
  const modelled = rewriting && (await byModel(hub, rewriting, around));
  const done = modelled !== undefined && isBetter(modelled, ruled) ? modelled : ruled;
  const isPaid = gainOf(done) >= 0n;
  const language = languageOf(text);
  const ended = await untilEnded(hub, rewriting, () =>
    hub.once(call, async (tx) => {
      const receipt =
        rewriting && (await endRewriting(tx, hub, rewriting, isPaid && done === modelled));
      const ref = { kind: 'service', id: hub.ids.uuid() };
      const amount = around.price;
      const paid = { account, network, amount, reason: 'service.compress', ref } as const;
      return {
        text: done.text,
        before,
        after: done.after,
        tokenCounter: offer.counter,
        model: offer.id,
        saved: done.saved,
        sourceLanguage: language,
        translated: done === modelled && language !== 'en',
        method: done === modelled ? ('model' as const) : ('rules' as const),
        kept: done.kept,
        dropped: done.dropped,
        ...(isPaid && { charge: await chargeInside(tx, hub, paid) }),
        ...(receipt && { receipt: presentReceipt(receipt) }),
      };
    }),
  );
  return { status: 200, body: ended };
};

interface Around {
  /** The price of the service itself. */
  readonly price: Atomic;
  readonly network: Parameters<typeof rewriteByModel>[1]['network'];
  readonly offer: Offer;
  readonly before: TextSize;
  readonly uses: number;
}

interface Shortened {
  readonly text: string;
  readonly after: TextSize;
  readonly kept: Kept;
  readonly dropped: readonly string[];
  readonly saved: Atomic;
  readonly cost: bigint;
}

function gainOf({ saved, cost }: Shortened): bigint {
  return saved - cost;
}

/** The one that leaves the caller better off; where both are free, the shorter. */
function isBetter(one: Shortened, other: Shortened): boolean {
  const [first, second] = [gainOf(one), gainOf(other)];
  if (first < 0n && second < 0n) return one.after.tokens < other.after.tokens;
  return first > second;
}

async function byRule(hub: Hub, text: string, around: Around): Promise<Shortened> {
  const { offer, before, price } = around;
  const ruled = await inTurns(compressByRule(text));
  const size = await sizeOf(hub, offer.counter, ruled.text);
  const kept = spansOf(text);
  // A text that the rules make longer stays as it came.
  if (size.tokens >= before.tokens) {
    return { text, after: before, kept, dropped: [], saved: ZERO, cost: price };
  }
  return { ...ruled, after: size, kept, saved: savedBy(around, size.tokens), cost: price };
}

async function rewritten(
  { body, caller, request }: Call<'services.compressPrompt'>,
  hub: Hub,
  around: Around,
): Promise<Rewriting | undefined> {
  const { caller: account, text, idempotencyKey: key } = body;
  const { network, price } = around;
  const asked = { account, caller, network, price, text, gone: request.gone };
  const ask = { ...asked, savedMost: savedBy(around, 0) };
  return rewriteByModel(hub, { ...ask, ...defined({ key }) });
}

async function byModel(
  hub: Hub,
  { rewritten: found, cost }: Rewriting,
  around: Around,
): Promise<Shortened | undefined> {
  if (found === undefined) return undefined;
  const after = await sizeOf(hub, around.offer.counter, found.text);
  const saved = savedBy(around, after.tokens);
  return { ...found, after, dropped: [], saved, cost: around.price + cost };
}

/** However the call ends, what is held for a rewriting is charged or returned. */
async function untilEnded<T extends { readonly repeated: boolean }>(
  hub: Hub,
  rewriting: Rewriting | undefined,
  work: () => Promise<T>,
): Promise<T> {
  let isEnded = false;
  try {
    const body = await work();
    isEnded = !body.repeated;
    return body;
  } finally {
    if (rewriting !== undefined && !isEnded) await endUnused(hub, rewriting);
  }
}

function offerOf(hub: Hub, model: string | undefined): Offer {
  const first = hub.models.offers.find(({ embeds }) => embeds === undefined);
  const offer = model === undefined ? first : hub.models.offer(model);
  return offer ?? refuse('model-unknown', { error: `There is no model ${JSON.stringify(model)}.` });
}

/** Returns the value of the saved tokens at the input price of the provider that is asked first. */
function savedBy({ offer, before, uses }: Around, tokens: number): Atomic {
  const price = offer.providers[0]?.price.input ?? 0n;
  const fewer = before.tokens - tokens;
  if (fewer <= 0) return ZERO;
  const worth = (BigInt(fewer) * BigInt(uses) * price) / 1_000_000n;
  return atomic(worth > SAVED_MAX ? SAVED_MAX : worth);
}

const SAVED_MAX = 1_000_000_000_000_000n;
