import { isRefusal } from '../../../../clients/typescript/index.ts';
import type { LoadAgent } from '../agents.ts';
import { movement } from '../kept.ts';
import { between, type Activity } from '../world.ts';

/** Few keys, written again and again: what the hubs hold does not grow with the length of a run. */
const KEYS = 5;
const WORDS = ['plans', 'billed', 'yearly', 'prices', 'agents', 'rails', 'escrow', 'pulse'];

async function spaceOf(own: LoadAgent): Promise<string> {
  if (own.kept.spaceId !== undefined) return own.kept.spaceId;
  // A space has no key for asking twice, so one whose answer was lost gives way to the next.
  for (let n = 1; ; n += 1) {
    try {
      const body = { owner: own.account, name: `load-${n}`, kind: 'private' as const };
      const { id } = await own.ask((hub) => hub.POST('/api/v1/memory/spaces', { body }));
      own.kept.spaceId = id;
      return id;
    } catch (error) {
      if (!isRefusal(error, 'name-taken')) throw error;
    }
  }
}

export const write: Activity = async (own) => {
  const spaceId = await spaceOf(own);
  const key = `note-${between(1, KEYS)}`;
  const content = `${WORDS.join(' ')} ${own.newKey()}`;
  const body = { author: own.account, spaceId, key, content, idempotencyKey: own.newKey() };
  const note = await own.ask((hub) => hub.POST('/api/v1/memory', { body }));
  own.kept.notes.set(key, content);
  if (note.charge === undefined) return;
  const { transferId, amount } = note.charge;
  own.kept.out.set(movement('memory.write', transferId), BigInt(amount));
};

export const search: Activity = async (own) => {
  const spaceId = await spaceOf(own);
  const text = WORDS.slice(0, between(1, WORDS.length)).join(' ');
  const body = { reader: own.account, spaceId, text, limit: 3, idempotencyKey: own.newKey() };
  const { charge } = await own.ask((hub) => hub.POST('/api/v1/memory/search', { body }));
  if (charge === undefined) return;
  own.kept.out.set(movement('memory.search', charge.transferId), BigInt(charge.amount));
};
