import { loanBook } from '../../db/credit/book.ts';
import { balance } from '../../db/ledger/balances.ts';
import type { Reader } from '../../db/store.ts';
import { networks, type Network } from '../../db/wallet/networks.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { ASSET } from '../../domain/network.ts';
import { CREDIT } from '../../workflows/credit/collect.ts';
import { contract } from './content/contract.ts';
import { FEES } from './content/paths/fees.ts';
import { routes } from './content/routes.ts';

type Catalogue = Schemas['ServiceCatalogue'];

/** The areas are the contract's own tags, so a new one cannot be forgotten here. */
const SERVICES: Catalogue['services'] = contract.tags.map(({ name, description }) => ({
  area: name,
  what: description,
  methods: routes.filter(({ area }) => area === name),
}));

export const services: Handler<'discovery.services'> = async (_, hub) => {
  const now = hub.clock.now();
  const { withdrawals, loans } = await hub.store.read(async (db) => ({
    withdrawals: (await networks(db)).flatMap(withdrawalFee),
    loans: await presentLoans(db, now),
  }));
  return {
    status: 200,
    body: {
      asset: ASSET,
      network: hub.settings.network,
      count: SERVICES.length,
      services: SERVICES,
      fees: [...FEES, ...withdrawals],
      loanBook: loans,
    },
  };
};

/** Returns the credit of each network, good or bad; the figures are public. */
async function presentLoans(db: Reader, now: Instant): Promise<Catalogue['loanBook']> {
  const book: Catalogue['loanBook'][number][] = [];
  for (const sums of await loanBook(db, now)) {
    const { network, loans, defaults } = sums;
    const { spendable } = await balance(db, CREDIT, { network, asset: ASSET });
    book.push({
      network,
      asset: ASSET,
      loans,
      advanced: sums.advanced,
      repaid: sums.repaid,
      open: sums.open,
      due: sums.due,
      defaulted: sums.defaulted,
      defaults,
      origination: sums.origination,
      available: spendable,
    });
  }
  return book;
}

function withdrawalFee({ id, withdrawFee }: Network): Catalogue['fees'] {
  if (withdrawFee === null) return [];
  return [
    {
      what: `A withdrawal on ${id}`,
      operationId: 'wallet.withdraw',
      amount: withdrawFee,
      unit: 'per withdrawal',
      paidBy: 'the owner, out of the amount',
      reason: 'withdraw.fee',
    },
  ];
}
