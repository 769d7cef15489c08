import { movement } from '../kept.ts';
import { pick, type Activity } from '../world.ts';

const MAX_PRICE = '1000';

/** A tool of an agent on this machine, a free one or one that asks for money. */
export const call: Activity = async (own, { agentId }) => {
  const operation = pick(['free', 'paid']) ?? 'free';
  const body = {
    caller: own.account,
    agentId,
    operation,
    arguments: { from: 'EUR', to: 'USD' },
    maxPrice: MAX_PRICE,
    idempotencyKey: own.newKey(),
  };
  const { receipt } = await own.ask((hub) => hub.POST('/api/v1/call', { body }));
  own.kept.callReceipts.add(receipt.id);
  if (receipt.transferId === undefined || receipt.cost === '0') return;
  own.kept.out.set(movement('call.charge', receipt.transferId), BigInt(receipt.cost));
};
