import { isRefusal } from '../../../../clients/typescript/index.ts';
import { movement } from '../kept.ts';
import { between, pick, type Activity } from '../world.ts';

const OPEN_MS = 240_000;
/** A bet is not begun so shortly before the end that a fault would make it late. */
const LATE_MS = 60_000;
const MARKETS_MAX = 12;
const BET = 10_000n;

/** A market on a number of the hub, which settles itself. */
export const openMarket: Activity = async (own, { markets }) => {
  const closesAt = Date.now() + OPEN_MS;
  const body = {
    question: `Are more than ${between(1, 999)} tasks open then?`,
    source: 'tasks.open of this hub',
    closesAt: new Date(closesAt).toISOString(),
    check: { metric: 'tasks.open' as const, op: 'gt' as const, value: `${between(0, 3)}` },
    idempotencyKey: own.newKey(),
  };
  const { id } = await own.ask((hub) => hub.POST('/api/v1/games/predictions/markets', { body }));
  markets.push({ id, creator: own.account, closesAt });
  if (markets.length > MARKETS_MAX) markets.shift();
};

export const bet: Activity = async (own, world) => {
  const open = world.markets.filter(
    ({ creator, closesAt }) => creator !== own.account && closesAt > Date.now() + LATE_MS,
  );
  const market = pick(open);
  if (market === undefined) return;
  const params = { path: { id: market.id } };
  const body = {
    side: pick(['yes', 'no'] as const) ?? 'yes',
    amount: `${BET}`,
    idempotencyKey: own.newKey(),
  };
  try {
    const { transferId } = await own.ask((hub) =>
      hub.POST('/api/v1/games/predictions/markets/{id}/bet', { params, body }),
    );
    own.kept.out.set(movement('bet.hold', transferId), BET);
  } catch (error) {
    // A hub whose clock was set forward closes it earlier.
    if (!isRefusal(error, 'market-closed')) throw error;
  }
};
