import { presentNumber } from './present.ts';
import { openQuestions } from '../../db/predictions/markets.ts';
import { houseAccount } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { LISTING_FEE } from '../../domain/predictions/model.ts';
import { rehearse as advise } from '../../domain/predictions/rehearse.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { draftMarket } from '../../workflows/predictions/draft.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { knownKind } from '../../workflows/wallet/networkKind.ts';

/** Newest open markets among which a look-alike is looked for, and those that are shown. */
const COMPARED_MAX = 500;
const ADVICE_MAX = 20;
/** Stands for the future creator; the terms do not depend on it. */
const NOBODY = houseAccount('hub:board');

/** The same bounds that a listing meets, then the wording; nothing is stored. */
export const rehearse: Handler<'predictions.rehearse'> = async ({ body }, hub) =>
  hub.store.read(async (db) => {
    const network = networkNamed(hub, body.network, 'body.network');
    const kind = await knownKind(hub, db, network);
    const listed = { id: hub.ids.uuid(), creator: NOBODY, network, kind };
    const market = draftMarket(hub, body, listed);
    const { question, source, closesAt } = market;
    const present = await presentNumber(db, market, hub.clock.now());
    const open = await openQuestions(db, network, COMPARED_MAX);
    const isChecked = body.check !== undefined;
    const advice = advise({ question, source, closesAt, isChecked }, open).slice(0, ADVICE_MAX);
    return {
      status: 200,
      body: {
        count: advice.length,
        advice: advice.map((each) => ({ ...each })),
        ...defined({ present }),
        listingFee: LISTING_FEE,
      },
    };
  });
