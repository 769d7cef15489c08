import { defined } from '../../domain/defined.ts';
import type { Draft } from '../../domain/tasks/publish.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { AcceptanceRule } from '../../domain/acceptance/rule.ts';
import type { Call } from '../kernel/call.ts';
import { parseAtomic, ZERO } from '../../domain/money.ts';
import type { Conduct } from '../../domain/tasks/model.ts';

export type PublishBody = Call<'tasks.publish'>['body'];
export function draftOf(
  body: PublishBody,
  network: NetworkId,
  rule: AcceptanceRule | undefined,
  named: Pick<Draft, 'files'> = {},
): Draft {
  const conduct = body.conduct && conductOf(body.conduct);
  const { files: _, ...deal }: Omit<PublishBody, 'conduct' | 'acceptance'> = body;
  return {
    ...deal,
    ...named,
    network,
    ...defined({ conduct, acceptance: rule }),
  };
}

function conductOf(asked: NonNullable<PublishBody['conduct']>): Partial<Conduct> {
  const { maxSpendAtomic, ...rest } = asked;
  return {
    ...rest,
    ...(maxSpendAtomic !== undefined && { maxSpendAtomic: parseAtomic(maxSpendAtomic) ?? ZERO }),
  };
}
