import { ASSET } from '../../domain/network.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { mustHaveAddress } from '../../workflows/rails/depositAddress.ts';
import { missingForDeposits } from '../../workflows/rails/rail.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentDepositAddress } from './present/rails.ts';

const NO_NODE = 'a node of the chain that answers; send the same call again in a minute';

/** The account's own address on a chain, made at the first call; else what custody lacks. */
export const depositAddress: Handler<'wallet.depositAddress'> = async (call, hub) => {
  const { owner } = call.path;
  const network = networkNamed(hub, call.body?.network, 'body.network');
  const missing = missingForDeposits(hub, network);
  const place = { owner, network, asset: ASSET, missing };
  if (missing.length > 0) {
    return { status: 200, body: presentDepositAddress(hub, { ...place, address: undefined }) };
  }
  await admitNow(hub, call.caller);
  const address = await mustHaveAddress(hub, call, network);
  const lacks = address === undefined ? [NO_NODE] : missing;
  return { status: 200, body: presentDepositAddress(hub, { ...place, missing: lacks, address }) };
};
