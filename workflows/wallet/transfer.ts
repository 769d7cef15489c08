import { strict as assert } from 'node:assert';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Need } from '../../db/batch/need.ts';
import { post, readsOf, type Posted } from '../../db/ledger/post.ts';
import { postInside } from '../../db/ledger/postInside.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import {
  commitmentId,
  transferId,
  type InsufficientFunds,
  type Ref,
  type Step,
  type TransferId,
} from '../../domain/ledger/transfer.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import type { Hub } from '../kernel/hub.ts';

export interface TransferCause {
  readonly network: NetworkId;
  /** The event, such as `wallet.pay`. */
  readonly event: string;
  /** The subject of the transfer; the transfer itself when absent. */
  readonly ref?: Ref;
  readonly actor: Account | 'hub';
  /** Now when absent. */
  readonly at?: Instant;
  readonly memo?: string;
}

/** A transfer as a workflow asks for it: its id is made here, and its asset is the only one. */
export interface TransferRequest extends TransferCause {
  readonly steps: readonly Step[];
}

/** Posts it under a new id. Answers a refusal, having moved nothing, when an account runs short. */
export function transfer(
  tx: Writer,
  hub: Hub,
  request: TransferRequest,
): Promise<Posted | InsufficientFunds> {
  const id = transferId(hub.ids.uuid());
  const { ref = { kind: 'transfer', id }, at = hub.clock.now(), ...rest } = request;
  return postInside(tx, { ...rest, id, at, asset: ASSET, ref });
}

/** The same for certain money, such as a hold's release. A refusal is a bug, so it throws. */
export async function mustTransfer(
  tx: Writer,
  hub: Hub,
  request: TransferRequest,
): Promise<TransferId> {
  return certain(await transfer(tx, hub, request), request);
}

/** Moves money in a transaction; a refusal moves nothing. */
export function move(db: Decider, hub: Hub, request: TransferRequest): Posted | InsufficientFunds {
  const id = transferId(db.newId(hub.ids));
  const { ref = { kind: 'transfer', id }, at = hub.clock.now(), ...rest } = request;
  return post(db, { ...rest, id, at, asset: ASSET, ref });
}

/** The reads of `move`, for a batch's first; `owners` hold the commitments that change. */
export function readsOfMove(
  hub: Hub,
  { ref = NO_REF, ...request }: TransferRequest,
  owners: readonly Account[] = [],
): readonly Need[] {
  return readsOf(hub.store.dialect, { ...request, ref, asset: ASSET }, owners);
}
/** Stands for a hold that a transfer opens, which is not looked up. */
export const NO_HOLD = commitmentId('00000000-0000-7000-8000-000000000000');
/** A transfer is about itself, and its id is not known yet. */
const NO_REF: Ref = { kind: 'transfer', id: '' };

/** The same for money that is certain. */
export function mustMove(db: Decider, hub: Hub, request: TransferRequest): TransferId {
  return certain(move(db, hub, request), request);
}

function certain(posted: Posted | InsufficientFunds, { event }: { readonly event: string }) {
  if ('refused' in posted) {
    assert.fail(`${event} moves money that is certain, and ${posted.account} ran short`);
  }
  return posted.transferId;
}
