import { movement } from '../kept.ts';
import { another, between, type Activity } from '../world.ts';

const ATOMIC_MAX = 900;

export const pay: Activity = async (own, world) => {
  const other = another(own, world);
  const amount = BigInt(between(1, ATOMIC_MAX));
  const params = { path: { owner: own.account } };
  const body = { to: other.account, amount: `${amount}`, idempotencyKey: own.newKey() };
  const { transferId } = await own.ask((hub) =>
    hub.POST('/api/v1/wallet/{owner}/pay', { params, body }),
  );
  own.kept.out.set(movement('pay', transferId), amount);
  other.kept.in.set(movement('pay', transferId), amount);
};
