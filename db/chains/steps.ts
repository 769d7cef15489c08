import type { AcceptanceRule } from '../../domain/acceptance/rule.ts';
import type { StepDeal } from '../../domain/chains/model.ts';
import { defined } from '../../domain/defined.ts';
import type { Seconds } from '../../domain/instant.ts';
import * as column from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { parentIn } from '../batch/need.ts';
import { shaped, table } from '../batch/table.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { TASKS } from '../tasks/taskRow.ts';
import { CHAINS } from './chains.ts';

export interface StoredStep {
  readonly chainId: string;
  readonly n: number;
  readonly deal: StepDeal;
  /** Absent while it waits. */
  readonly taskId?: string;
}

export const CHAIN_STEPS = shaped(
  table(
    'chain_steps',
    {
      chainId: column.text().key(),
      n: column.integer().key(),
      title: column.text().fixed(),
      description: column.text().fixed(),
      reward: column.amount().fixed(),
      verification: column.oneOf(['automatic', 'validator', 'requester']).fixed(),
      acceptance: column.json<AcceptanceRule>().fixed().optional(),
      requiredSkills: column.json<readonly string[]>().fixed(),
      autoAcceptSeconds: column.integer<Seconds>().fixed().optional(),
      disputeWindowSeconds: column.integer<Seconds>().fixed(),
      deadlineSeconds: column.integer<Seconds>().fixed(),
      taskId: column.text().optional(),
    },
    {
      personal: { apart: 'parts of chains' },
      lock: 'none',
      under: [TASKS],
      parent: parentIn(CHAINS, ({ chainId }: StoredStep) => chainId),
    },
  ),
  {
    of({ chainId, n, taskId, autoAcceptSeconds, disputeWindowSeconds, ...deal }): StoredStep {
      const windows = { disputeWindowSeconds, ...defined({ autoAcceptSeconds }) };
      return { chainId, n, deal: { ...deal, windows }, ...defined({ taskId }) };
    },
    flat({ deal: { windows, ...deal }, ...step }) {
      return { ...step, ...deal, ...windows };
    },
  },
);

export const STEPS_OF_CHAIN = list('steps_of_chain', CHAIN_STEPS, {
  by: { chainId: column.text() },
  where: (key) => `t.chain_id = ${key.chainId}`,
  order: 't.n',
  parent: parentIn(CHAINS, (chainId: string) => chainId),
});

const STEPS = statement('SELECT * FROM chain_steps WHERE chain_id = ? ORDER BY n');

export async function stepsOf(db: Reader, chainId: string): Promise<readonly StoredStep[]> {
  return (await linkOf(db).rows(STEPS, [chainId])).map(CHAIN_STEPS.fromRow);
}
