import { latestAttempts } from '../../db/models/attempts.ts';
import { networks } from '../../db/wallet/networks.ts';
import { instant } from '../../domain/instant.ts';
import { ATTEMPTS_MAX, measure, measureAt, WINDOW_HOURS } from '../../domain/models/measure.ts';
import { buysOn, type Offer } from '../../domain/models/offer.ts';
import { DEFAULT_MAX_TOKENS } from '../../domain/models/receipt.ts';
import { display, type Atomic } from '../../domain/money.ts';
import { ASSET } from '../../domain/network.ts';
import { nextUtcDay } from '../../domain/walletFaucet.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { ACCOUNT_DAY, HUB_DAY } from '../../domain/models/ceilings.ts';
import { hubDayLeft } from '../../workflows/models/ceilings.ts';
import { presentOffer } from './present/model.ts';

const LISTED_MS = 5_000;
const LISTS_MAX = 64;
const HOUR_MS = 3_600_000;

export const list: Handler<'models.list'> = (call, hub) =>
  hub.responses.answer<'models.list'>(call, { most: LISTS_MAX, ms: LISTED_MS }, async () => {
    const wanted = call.query.q?.toLowerCase();
    const fits = ({ id, name }: Offer): boolean =>
      wanted === undefined || `${id}\n${name}`.toLowerCase().includes(wanted);
    const now = hub.clock.now();
    const since = instant(Math.max(0, now - WINDOW_HOURS * HOUR_MS));
    const body = await hub.store.read(async (db) => {
      const rows = await networks(db);
      const models = [];
      for (const offer of hub.models.offers.filter(fits)) {
        const attempts = await latestAttempts(db, offer.id, since, ATTEMPTS_MAX);
        const facts = {
          measured: measure(attempts),
          measuredAt: ({ name }: Offer['providers'][number]) => measureAt(attempts, name),
          buysOn: rows.filter(({ kind }) => buysOn(kind, offer)).map(({ id }) => id),
          rests: (provider: Offer['providers'][number]) => hub.models.rests(offer, provider),
          order: hub.models.order(offer),
        };
        models.push(presentOffer(offer, facts));
      }
      const left = await hubDayLeft(db, hub, hub.settings.network);
      return {
        count: models.length,
        models,
        defaultMaxTokens: DEFAULT_MAX_TOKENS,
        ceilings: {
          perAccountDay: money(hub, ACCOUNT_DAY),
          hubDay: money(hub, HUB_DAY),
          hubDayLeft: money(hub, left),
          resetsAt: nextUtcDay(now),
        },
      };
    });
    return { status: 200, body };
  });

function money({ settings }: Hub, amount: Atomic) {
  const { network } = settings;
  return { amount, display: display(amount), asset: ASSET, network };
}
