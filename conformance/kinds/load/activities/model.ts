import { movement } from '../kept.ts';
import type { Activity } from '../world.ts';

const TOKENS_MAX = 40;

export const model: Activity = async (own) => {
  const body = {
    caller: own.account,
    model: 'hub/echo',
    messages: [{ role: 'user' as const, content: 'Name the five plans in one line, please.' }],
    max_tokens: TOKENS_MAX,
    idempotencyKey: own.newKey(),
  };
  const { receipt } = await own.ask((hub) => hub.POST('/api/v1/models/chat', { body }));
  own.kept.modelReceipts.add(receipt.id);
  if (receipt.transferId === undefined || receipt.charged === '0') return;
  own.kept.out.set(movement('model.charge', receipt.transferId), BigInt(receipt.charged));
};
