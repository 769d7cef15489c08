import { readListing, type FullListing } from '../../db/registry/listings.ts';
import { CARD_READ_PRICE } from '../../domain/services/prices.ts';
import { readCardText } from '../../domain/services/readCard.ts';
import type { SignalKind } from '../../domain/registry/listing.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { charge, knownPayingNetwork, readsOfCharge } from '../../workflows/metering/charge.ts';
import { listingNamed, noSuchListing } from '../../workflows/registry/found.ts';
import { inTurns } from '../../workflows/services/steps.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';

type Part = Schemas['CardReading']['parts'][number];

/** Names what in a prose speaks to its reader, and leaves it out (choices services.tools). */
export const cardRead: Handler<'services.cardRead'> = async (call, hub) => {
  const { caller: account, network: named } = call.body;
  const source = await sourceOf(call.body, hub);
  const parts: Part[] = [];
  for (const { path, text } of source.texts) parts.push({ path, ...(await readPart(text)) });
  const phrases = parts.reduce((sum, part) => sum + part.phrases.length, 0);
  const network = await knownPayingNetwork(hub, named, 'body.network');
  const ref = { kind: 'service', id: hub.ids.uuid() };
  const reason = 'service.card-read' as const;
  const paid = { account, network, amount: CARD_READ_PRICE, reason, ref };
  const body = await hub.transactOnce(call, {
    needs: readsOfCharge(hub, paid),
    decide: (db) => ({
      agentId: source.agentId,
      clean: phrases === 0,
      phrases,
      parts,
      ...UNTRUSTED_LISTINGS,
      charge: charge(db, hub, paid),
    }),
  });
  return { status: 200, body };
};

interface Source {
  readonly agentId?: string;
  readonly texts: readonly { readonly path: string; readonly text: string }[];
}

async function sourceOf(
  { agentId, text }: Call<'services.cardRead'>['body'],
  hub: Hub,
): Promise<Source> {
  if (agentId !== undefined && text !== undefined) {
    refuse('not-together', {
      error: 'The call has both agentId and text.',
      hint: 'Send the listing that is to be read, or a text of yours.',
      field: 'body.text',
    });
  }
  if (text !== undefined) return { texts: [{ path: 'text', text }] };
  if (agentId === undefined) {
    return refuse('missing-field', {
      error: 'The call has neither agentId nor text.',
      hint: 'Send {"agentId": "<id>"} of a listing of GET /api/v1/agents, or {"text": "<prose>"}.',
      field: 'body.agentId',
    });
  }
  const full = await hub.store.read(async (db) => readListing(db, await listingNamed(db, agentId)));
  if (full === undefined) return noSuchListing(agentId);
  return { agentId: full.listing.id, texts: textsOf(full) };
}

function textsOf({ listing, skills }: FullListing): Source['texts'] {
  const own = [
    { path: 'name', text: listing.name },
    { path: 'description', text: listing.description ?? '' },
  ];
  const tools = skills.flatMap(({ name, description }, index) => [
    { path: `skills/${index}/name`, text: name },
    { path: `skills/${index}/description`, text: description ?? '' },
  ]);
  return [...own, ...tools].filter(({ text }) => text !== '');
}

async function readPart(text: string): Promise<Omit<Part, 'path'>> {
  const { phrases, rewritten } = await inTurns(readCardText(text));
  return { phrases: phrases.map((each) => ({ ...each, why: WHY[each.kind] })), rewritten };
}

const WHY: Readonly<Record<SignalKind, string>> = {
  override: 'It tries to replace the instructions that the reader has.',
  command: 'It instructs the reader instead of describing the service.',
  preference: 'It asks the reader to prefer this service, or to leave others alone.',
  secrecy: 'It asks the reader to keep something from the people it works for.',
  credential: 'It asks for keys, passwords or other secrets.',
  payment: 'It asks the reader to pay or sign something.',
  'hidden-text': 'It holds characters that a model reads and a person does not see.',
};
