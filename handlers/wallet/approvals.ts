import { approvalsOf } from '../../db/wallet/approvals.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentApproval } from './present/policy.ts';

/** Calls of limited keys that wait for the owner, and those that were decided. */
export const approvals: Handler<'wallet.approvals'> = async (call, hub) => {
  const { owner } = call.path;
  const list = await hub.store.read((db) => approvalsOf(db, owner, hub.clock.now()));
  return {
    status: 200,
    body: { owner, count: list.length, approvals: list.map(presentApproval) },
  };
};
