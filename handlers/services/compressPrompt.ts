import { defined } from '../../domain/defined.ts';
import type { Offer } from '../../domain/models/offer.ts';
import { atomic, ZERO, type Atomic } from '../../domain/money.ts';
import { compressByRule, languageOf } from '../../domain/services/compress.ts';
import { compressPrice } from '../../domain/services/prices.ts';
import { spansOf, type Kept } from '../../domain/services/protectedSpans.ts';
import type { Call } from '../../server/hub/call.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { charge, payingNetwork } from '../../workflows/metering/charge.ts';
import { rewriteByModel } from '../../workflows/services/rewrite.ts';
import { sizeOf, type TextSize } from '../../workflows/services/size.ts';
import { inTurns } from '../../workflows/services/steps.ts';

/**
 * A shorter English form of a prompt, charged only when the tokens saved are worth more than it
 * costs (choices services.tools).
 */
export const compressPrompt: Handler<'services.compressPrompt'> = async (call, hub) => {
  const { caller: account, text, network: named, uses = 1 } = call.body;
  const offer = offerOf(hub, call.body.model);
  const network = await hub.store.read((db) => payingNetwork(hub, db, named, 'body.network'));
  const price = compressPrice(text);
  const before = await sizeOf(hub, offer.counter, text);
  // Who cannot save what it costs would be charged nothing, so no model works for it either.
  const isWorthIt = savedBy(offer, before.tokens, uses) >= price;
  const done = await shorten(call, hub, { price, network, offer, before, isWorthIt });
  const saved = savedBy(offer, before.tokens - done.after.tokens, uses);
  const body = await hub.once(call, async (tx) => {
    const id = hub.ids.uuid();
    const ref = { kind: 'service', id };
    const paid = { account, network, amount: price, reason: 'service.compress', ref } as const;
    return {
      text: done.text,
      before,
      after: done.after,
      tokenCounter: offer.counter,
      model: offer.id,
      saved: `${saved}`,
      sourceLanguage: done.language,
      translated: done.isByModel && done.language !== 'en',
      method: done.isByModel ? ('model' as const) : ('rules' as const),
      kept: done.kept,
      dropped: [...done.dropped],
      ...(saved >= price && { charge: await charge(tx, hub, paid) }),
    };
  });
  return { status: 200, body };
};

interface Shortened {
  readonly text: string;
  readonly after: TextSize;
  readonly kept: Kept;
  readonly dropped: readonly string[];
  readonly language: string;
  readonly isByModel: boolean;
}

interface Around {
  readonly price: Atomic;
  readonly network: Parameters<typeof rewriteByModel>[1]['network'];
  readonly offer: Offer;
  readonly before: TextSize;
  /** True when a text of no tokens would save what the call costs. */
  readonly isWorthIt: boolean;
}

/** By a model when that gives fewer tokens than the rules do, and loses nothing. */
async function shorten(
  { body, request }: Call<'services.compressPrompt'>,
  hub: Hub,
  { price, network, offer, before, isWorthIt }: Around,
): Promise<Shortened> {
  const { caller: account, text, idempotencyKey: key } = body;
  const language = languageOf(text);
  const ruled = await inTurns(compressByRule(text));
  const ruledSize = await sizeOf(hub, offer.counter, ruled.text);
  // What the rules make longer stays as it came.
  const isShorter = ruledSize.tokens < before.tokens;
  const byRule: Shortened = {
    text: isShorter ? ruled.text : text,
    after: isShorter ? ruledSize : before,
    kept: spansOf(text),
    dropped: isShorter ? ruled.dropped : [],
    language,
    isByModel: false,
  };
  if (!isWorthIt) return byRule;
  const { gone } = request;
  const ask = { account, network, price, text, gone, ...defined({ key }) };
  const rewritten = await rewriteByModel(hub, ask);
  if (rewritten === undefined) return byRule;
  const after = await sizeOf(hub, offer.counter, rewritten.text);
  if (after.tokens >= byRule.after.tokens) return byRule;
  return { ...rewritten, after, dropped: [], language, isByModel: true };
}

function offerOf(hub: Hub, model: string | undefined): Offer {
  const offer = model === undefined ? hub.models.offers[0] : hub.models.offer(model);
  return offer ?? refuse('model-unknown', { error: `There is no model ${JSON.stringify(model)}.` });
}

/** What the tokens saved are worth at the input price of the provider that is asked first. */
function savedBy({ providers }: Offer, tokens: number, uses: number): Atomic {
  const price = providers[0]?.price.input ?? 0n;
  if (tokens <= 0) return ZERO;
  const worth = (BigInt(tokens) * BigInt(uses) * price) / 1_000_000n;
  return atomic(worth > SAVED_MAX ? SAVED_MAX : worth);
}

const SAVED_MAX = 1_000_000_000_000_000n;
