import { lockWithdrawal, type FoundWithdrawal } from '../../db/rails/withdrawals.ts';
import type { Writer } from '../../db/store.ts';
import { stageOf } from '../../domain/rails/withdrawal.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { recallWithdrawal } from '../../workflows/rails/endWithdrawal.ts';
import { dropCall } from '../../workflows/rails/outbox.ts';
import { presentWithdrawal } from './present/withdrawal.ts';

/** Takes back what nothing was signed for yet; the row lock decides against the signer. */
export const recall: Handler<'wallet.recall'> = async (call, hub) => {
  let before = false;
  const body = await hub.once(call, async (tx) => {
    const row = await ownRow(tx, call);
    before = row.state === 'recalled';
    if (before) return presentWithdrawal(hub, row);
    await mustBeQueued(hub, tx, row);
    const recalled = await recallWithdrawal(hub, tx, row);
    return presentWithdrawal(hub, { ...recalled, carried: undefined });
  });
  return { status: 200, body: { ...body, repeated: body.repeated === true || before } };
};

async function ownRow(tx: Writer, { path }: Call<'wallet.recall'>): Promise<FoundWithdrawal> {
  const row = await lockWithdrawal(tx, path.id);
  if (row?.account === path.owner) return row;
  return refuse('not-found', {
    error: `This account has no withdrawal ${path.id}.`,
    hint: `GET /api/v1/wallet/${path.owner}/withdrawals lists those that it has.`,
    field: 'path.id',
  });
}

async function mustBeQueued(hub: Hub, tx: Writer, row: FoundWithdrawal): Promise<void> {
  const stage = stageOf(row, row.carried, hub.clock.now());
  const id = row.transactionId;
  if (stage === 'queued' && (id === null || (await dropCall(tx, hub, id, 'Recalled.')))) return;
  refuse('not-recallable', {
    error: `The withdrawal is ${stage ?? row.state}; only a queued one can be recalled.`,
    hint: `GET /api/v1/wallet/${row.account}/withdrawals shows its state.`,
  });
}
