import { lockChain } from '../../db/chains/chains.ts';
import { currentTasks } from '../../db/chains/tasks.ts';
import type { Writer } from '../../db/store.ts';
import { abandonChain } from '../../domain/chain/follow.ts';
import { closedUnpaid } from '../../domain/task/decide.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import type { Loaded } from '../../workflows/tasks/aggregate.ts';
import { lockSettled } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { saveChain } from '../../workflows/chains/follow.ts';
import { noSuchChain } from '../../workflows/chains/read.ts';
import { showChain } from './present.ts';

/** Waiting and unclaimed steps refund at once; what somebody holds or delivered ends by itself. */
export const abandon: Handler<'chains.abandon'> = async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const loaded = await lockTurn(tx, hub, id);
    const decision = orRefuse(abandonChain(loaded.chain.chain, account, call.body?.reason, now));
    const cause = { actor: account, at: now };
    const chain = await saveChain(tx, hub, loaded.chain, decision, cause);
    const { task } = loaded.aggregate;
    if (task.state === 'open') {
      const event = { at: now, event: 'task.withdrawn', actor: account } as const;
      const over = closedUnpaid(task, 'withdrawn', event);
      await commitChange(tx, hub, { ...loaded, chain }, over, cause);
    }
    const left = await lockChain(tx, id);
    return showChain(tx, left?.chain ?? chain.chain, now);
  });
  return { status: 200, body };
};

type Turn = Loaded & { readonly chain: NonNullable<Loaded['chain']> };

/** The chain with the task whose turn it is, everything due applied and both locked. */
async function lockTurn(tx: Writer, hub: Hub, id: string): Promise<Turn> {
  const current = (await currentTasks(tx, [id])).get(id) ?? noSuchChain();
  const loaded = await lockSettled(tx, hub, current.task.id);
  const { chain } = loaded;
  if (chain === undefined) throw new Error('a step has its chain');
  // The step was accepted meanwhile, now or by somebody else: its successor is at work.
  return chain.chain.step === current.task.chain?.step
    ? { ...loaded, chain }
    : lockTurn(tx, hub, id);
}
