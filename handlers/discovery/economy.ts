import { balance } from '../../db/ledger/balances.ts';
import { readSeal } from '../../db/ledger/seals.ts';
import { FEES } from '../../db/ledger/shards.ts';
import { supplyIn, type Supply } from '../../db/ledger/supply.ts';
import { startOf, windowOf } from '../../domain/window.ts';
import type { Call, Reply } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { ASSET } from '../../domain/network.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentSeal } from './present/seals.ts';

/** Choices discovery.figures, in one snapshot with the newest seal of the journal. */
export const economy: Handler<'discovery.economy'> = (call, hub) =>
  hub.responses.costly<'discovery.economy'>(call, () => figures(call, hub));

async function figures(
  { query }: Call<'discovery.economy'>,
  hub: Hub,
): Promise<Reply<'discovery.economy'>> {
  const network = networkNamed(hub, query.network, 'query.network');
  const window = windowOf(query.window);
  const to = hub.clock.now();
  const from = startOf(window, to);
  const place = { network, asset: ASSET };
  const { money, feePool, newest } = await hub.store.read(async (db) => ({
    money: await supplyIn(db, place, { from, to }),
    feePool: (await balance(db, FEES, place)).posted,
    newest: await readSeal(db, 'head'),
  }));
  return {
    status: 200,
    body: {
      ...place,
      window: window.name,
      from,
      to,
      supply: money.supply,
      supplyBefore: money.supplyBefore,
      ofUsers: money.ofUsers,
      ofUsersBefore: money.ofUsersBefore,
      faucets: faucetsOf(money),
      drains: drainsOf(money),
      feePool,
      recirculated: money.recirculated,
      moved: money.moved,
      velocity: velocityOf(money),
      byReason: money.byReason,
      ...(newest !== undefined && { seal: presentSeal(newest) }),
    },
  };
}

function faucetsOf({ deposits, faucet, issued }: Supply) {
  return {
    total: deposits + faucet + issued,
    deposits,
    faucet,
    issued,
  };
}

function drainsOf({ withdrawn, burned, feesTaken, recirculated }: Supply) {
  const fees = feesTaken - recirculated;
  return {
    total: withdrawn + burned + fees,
    withdrawn,
    burned,
    fees,
  };
}

const DECIMALS = 6;

/** Moved over the mean of what users had, rounded down; zero while they have no money. */
function velocityOf({ moved, ofUsers, ofUsersBefore }: Supply): string {
  const twiceMean = ofUsers + ofUsersBefore;
  const scaled = twiceMean > 0n ? (2n * moved * 10n ** BigInt(DECIMALS)) / twiceMean : 0n;
  const digits = `${scaled}`.padStart(DECIMALS + 1, '0');
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}
