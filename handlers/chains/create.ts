import { CHAINS } from '../../db/chains/chains.ts';
import { CHAIN_STEPS } from '../../db/chains/steps.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Chain } from '../../domain/chains/model.ts';
import {
  openStep,
  publishChain,
  type ChainDraft,
  type Published,
  type StepDraft,
} from '../../domain/chains/publish.ts';
import type { Instant } from '../../domain/instant.ts';
import { commitmentId, type CommitmentId } from '../../domain/ledger/transfer.ts';
import { AMOUNT_MAX } from '../../domain/money.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { refuseFunds } from '../../workflows/wallet/funds.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { move } from '../../workflows/wallet/transfer.ts';
import { ruleIn } from '../../workflows/tasks/acceptance.ts';
import { commitChange } from '../../workflows/tasks/commit.ts';
import { orRefuse } from '../../workflows/tasks/refuse.ts';
import { presentChain } from './present.ts';

type CreateBody = Call<'chains.create'>['body'];
type Compiled = Awaited<ReturnType<Hub['checks']['compile']>> | undefined;

/** All rewards are held and the first step is open in one transaction, or nothing happened. */
export const create: Handler<'chains.create'> = async (call, hub) => {
  // Compiling may take a worker thread: it runs before the transaction, its error is thrown inside.
  const compiled: Compiled[] = [];
  for (const { acceptance } of call.body.steps) {
    compiled.push(acceptance && (await hub.checks.compile(acceptance, call.caller)));
  }
  const body = await hub.transactOnce(call, {
    needs: [],
    decide(db) {
      const now = hub.clock.now();
      const id = db.newId(hub.ids);
      const published = orRefuse(publishedFrom(hub, call.body, { id, compiled }, now));
      const { chain, steps } = 'total' in published ? tooMuch(published.total) : published;
      const [first] = steps;
      if (first === undefined) throw new Error('the contract asks for a step');
      const holdId = escrow(db, hub, chain, now);
      db.insert(CHAINS, id, { chain, holdId });
      const stored = steps.map((deal, place) => ({ chainId: id, n: place + 1, deal }));
      for (const step of stored) db.insert(CHAIN_STEPS, step, step);
      const opens = openStep(chain, first, { taskId: db.newId(hub.ids) }, now);
      const { account } = call.caller;
      const cause = { actor: account, at: now, holdId };
      const { aggregate } = commitChange(db, hub, undefined, opens, cause);
      return presentChain(chain, stored, [aggregate], now, { hub, account });
    },
  });
  return { status: 200, body };
};

function publishedFrom(
  hub: Hub,
  body: CreateBody,
  { id, compiled }: { readonly id: string; readonly compiled: readonly Compiled[] },
  now: Instant,
): ReturnType<typeof publishChain> {
  const { requester, title, distinctWorkers = false, sameWorker = false } = body;
  const network = networkNamed(hub, body.network, 'body.network');
  const steps = body.steps.map((step, place) => stepDraft(step, compiled[place], place));
  const draft: ChainDraft = { requester, title, distinctWorkers, sameWorker, network, steps };
  return publishChain(draft, id, now);
}

function stepDraft(
  { acceptance: _, ...step }: CreateBody['steps'][number],
  compiled: Compiled,
  place: number,
): StepDraft {
  if (compiled === undefined) return step;
  return { ...step, acceptance: ruleIn(compiled, `body.steps[${place}].acceptance`) };
}

function escrow(
  db: Decider,
  hub: Hub,
  { id, requester, network, total }: Chain,
  at: Instant,
): CommitmentId {
  const commitment = commitmentId(db.newId(hub.ids));
  const posted = move(db, hub, {
    at,
    network,
    event: 'chain.published',
    ref: { kind: 'chain', id },
    actor: requester,
    steps: [
      {
        verb: 'hold',
        commitment,
        account: requester,
        kind: 'chain',
        amount: total,
        reason: 'chain.escrow',
      },
    ],
  });
  if ('refused' in posted) return refuseFunds(hub, posted, { network, field: 'body.steps' });
  return commitment;
}

function tooMuch(total: bigint): Published {
  return refuse('bad-amount', {
    error: `The rewards add up to ${total} atomic units; a chain escrows at most ${AMOUNT_MAX}.`,
    field: 'body.steps',
  });
}
