import type { AcceptanceRule } from '../../domain/acceptance/rule.ts';
import { parseAtomic, ZERO } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Conduct } from '../../domain/task/model.ts';
import { publish as decide } from '../../domain/task/publish.ts';
import type { Draft } from '../../domain/task/publish.ts';
import type { Call, Handler } from '../../server/handler.ts';
import { networkNamed } from '../_money.ts';
import { ruleIn } from './_acceptance.ts';
import { commitChange } from './_commit.ts';
import { presentTask } from './_present.ts';
import { granted } from './_refuse.ts';

/** T1: the deal is fixed and its reward held in one transaction, or nothing happened. */
export const publish: Handler<'tasks.publish'> = async (call, hub) => {
  const { acceptance } = call.body;
  // Compiling may take a worker thread, so it is done before the transaction and told inside it.
  const compiled = acceptance && (await hub.checks.compile(acceptance));
  const body = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    const network = networkNamed(hub, call.body.network, 'body.network');
    const draft = draftOf(call.body, network, compiled && ruleIn(compiled));
    const change = granted(decide(draft, hub.ids.uuid(), now));
    const cause = { actor: call.caller.account, at: now };
    const { play } = await commitChange(tx, hub, undefined, change, cause);
    return presentTask(play, now);
  });
  return { status: 200, body };
};

type PublishBody = Call<'tasks.publish'>['body'];

function draftOf(body: PublishBody, network: NetworkId, rule: AcceptanceRule | undefined): Draft {
  const conduct = body.conduct && conductOf(body.conduct);
  const deal: Omit<PublishBody, 'conduct' | 'acceptance'> = body;
  return {
    ...deal,
    network,
    ...(conduct !== undefined && { conduct }),
    ...(rule !== undefined && { acceptance: rule }),
  };
}

function conductOf(asked: NonNullable<PublishBody['conduct']>): Partial<Conduct> {
  const { maxSpendAtomic, ...rest } = asked;
  return {
    ...rest,
    ...(maxSpendAtomic !== undefined && { maxSpendAtomic: parseAtomic(maxSpendAtomic) ?? ZERO }),
  };
}
