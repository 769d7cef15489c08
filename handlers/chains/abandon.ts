import { CHAINS } from '../../db/chains/chains.ts';
import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { KnownTask } from '../../db/tasks/taskRow.ts';
import { abandonChain } from '../../domain/chains/follow.ts';
import type { Chain } from '../../domain/chains/model.ts';
import { closedUnpaid } from '../../domain/tasks/decide.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { saveChain, stepOf, stepsOf } from '../../workflows/chains/follow.ts';
import { noSuchChain } from '../../workflows/chains/read.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { settledTask } from '../../workflows/tasks/due.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { presentChain } from './present.ts';

/** Waiting and unclaimed steps refund at once; what is held or delivered ends by itself. */
export const abandon: Handler<'chains.abandon'> = async (call, hub) => {
  const { id } = call.path;
  const { account } = call.caller;
  const body = await hub.transactOnce(call, {
    needs: [need(CHAINS, id)],
    decide(db) {
      const known = taskInTurn(db, hub, id);
      const now = hub.clock.now();
      const stored = db.find(CHAINS, id) ?? noSuchChain();
      const decision = orRefuse(abandonChain(stored.chain, account, call.body?.reason, now));
      const cause = { actor: account, at: now };
      saveChain(db, hub, stored, decision, cause);
      const { task } = known.aggregate;
      if (task.state === 'open') {
        const event = { at: now, event: 'task.withdrawn', actor: account } as const;
        commitChange(db, hub, known, closedUnpaid(task, 'withdrawn', event), cause);
      }
      const left = db.find(CHAINS, id)?.chain ?? stored.chain;
      const steps = stepsOf(db, id);
      return presentChain(
        left,
        steps,
        steps.flatMap(({ aggregate }) => aggregate ?? []),
        now,
        { hub, account },
      );
    },
  });
  return { status: 200, body };
};

/** The task of the step whose turn it is once everything due is applied. */
function taskInTurn(db: Decider, hub: Hub, id: string): KnownTask {
  for (;;) {
    const { step }: Chain = (db.find(CHAINS, id) ?? noSuchChain()).chain;
    const { taskId } = stepOf(db, id, step);
    if (taskId === undefined) throw new Error('the step whose turn it is has its task');
    const known = settledTask(db, hub, taskId);
    if (db.find(CHAINS, id)?.chain.step === step) return known;
  }
}
