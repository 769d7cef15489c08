import { networks, type Network } from '../../db/wallet/networks.ts';
import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/handler.ts';
import { ASSET } from '../_money.ts';
import { contract } from './_contract.ts';
import { FEES } from './_fees.ts';
import { routes } from './_routes.ts';

type Catalogue = components['schemas']['ServiceCatalogue'];

/** The areas are the contract's own tags, so a new one cannot be forgotten here. */
const SERVICES: Catalogue['services'] = contract.tags.map(({ name, description }) => ({
  area: name,
  what: description,
  methods: routes.filter(({ area }) => area === name),
}));

export const services: Handler<'discovery.services'> = async (_, hub) => {
  const withdrawals = (await hub.store.read(networks)).flatMap(withdrawalFee);
  return {
    status: 200,
    body: {
      asset: ASSET,
      network: hub.settings.network,
      count: SERVICES.length,
      services: SERVICES,
      fees: [...FEES, ...withdrawals],
    },
  };
};

/** What a network costs is the network's, whether or not this hub has its rail. */
function withdrawalFee({ id, withdrawFee }: Network): Catalogue['fees'] {
  if (withdrawFee === null) return [];
  return [
    {
      what: `A withdrawal on ${id}`,
      operationId: 'wallet.withdraw',
      amount: `${withdrawFee}`,
      unit: 'per withdrawal',
      paidBy: 'the owner, out of the amount',
      reason: 'withdraw.fee',
    },
  ];
}
