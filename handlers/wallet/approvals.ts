import { approvalsOf } from '../../db/wallet/approvals.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentApproval } from './present/policy.ts';

export const approvals: Handler<'wallet.approvals'> = async (call, hub) => {
  const { owner } = call.path;
  const list = await hub.store.readOne((db) => approvalsOf(db, owner, hub.clock.now()));
  return {
    status: 200,
    body: { owner, count: list.length, approvals: list.map(presentApproval) },
  };
};
