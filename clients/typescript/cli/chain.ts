import { unwrap, type paths } from '../index.ts';
import type { Success } from '../routes.ts';
import {
  isSet,
  runVerb,
  textOf,
  UsageError,
  wordsOf,
  type Call,
  type Command,
  type ExitCode,
  type Verb,
} from './command.ts';
import { jsonFile } from './input.ts';
import { usdc } from './money.ts';
import { openReader, openSession, ownerOf } from './session.ts';
import { facts, show, table } from './show.ts';
import { defined } from '../../../domain/defined.ts';

type Body = paths['/api/v1/chains']['post']['requestBody']['content']['application/json'];
type Chain = Success<paths['/api/v1/chains/{id}']['get']>;

const VERBS: Readonly<Record<string, Verb>> = { publish, show: showOne, abandon };

export const chain: Command = {
  usage: 'chain publish|show|abandon',
  summary: 'has work done in steps: milestones, or several workers',
  options: {
    title: { type: 'string' },
    milestones: { type: 'boolean' },
    reason: { type: 'string' },
  },
  help: `hub chain publish FILE    FILE is the body of the contract's chains.create, or its list of steps,
                          - standard input; requester is filled in, and all rewards are held now:
  --title TEXT
  --milestones            one worker does all steps, and each opens when the one before is paid
hub chain show ID         its steps, where the money is, and what happens at a deadline
hub chain abandon ID      ends it; --reason TEXT. What no step has earned returns to you
`,
  run: (call) => runVerb('chain', VERBS, call),
};

async function publish(call: Call): Promise<ExitCode> {
  const [file = ''] = wordsOf(call, 'FILE');
  const written = await jsonFile(call.io, file);
  if (typeof written !== 'object' || written === null) {
    throw new UsageError(`${file} holds no JSON object and no list of steps`);
  }
  const title = textOf(call, 'title');
  const given = {
    ...(Array.isArray(written) ? { steps: written as unknown[] } : written),
    ...defined({ title }),
    ...(isSet(call, 'milestones') && { sameWorker: true }),
  };
  if (!('title' in given)) throw new UsageError('it lacks --title TEXT, or a FILE with one');
  const { hub } = await openSession(call);
  // The hub checks what the file holds, and says which field it refuses.
  const body = { ...given, requester: await ownerOf(hub) } as Body;
  return showChain(call, unwrap(await hub.POST('/api/v1/chains', { body })));
}

async function showOne(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const hub = await openReader(call);
  return showChain(
    call,
    unwrap(await hub.GET('/api/v1/chains/{id}', { params: { path: { id } } })),
  );
}

async function abandon(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const { hub } = await openSession(call);
  const reason = textOf(call, 'reason');
  const body = { requester: await ownerOf(hub), ...defined({ reason }) };
  const params = { path: { id } };
  return showChain(call, unwrap(await hub.POST('/api/v1/chains/{id}/abandon', { params, body })));
}

function showChain(call: Call, found: Chain): ExitCode {
  const { spent, stillHeld, refunded, steps, atDeadline } = found;
  show(call, found, () => {
    const head = facts(call.io, [
      ['chain', found.id],
      ['title', found.title],
      ['state', found.state],
      ['worker', found.worker],
      ['money', `${usdc(spent)} spent, ${usdc(stillHeld)} held, ${usdc(refunded)} returned`],
      ['deadline', atDeadline.says],
      ['ended', found.endReason],
    ]);
    const rows = steps.map((step) => [
      String(step.n),
      step.state,
      usdc(step.rewardAmount),
      step.deadline?.slice(0, 19),
      step.taskId,
      step.title,
    ]);
    return `${head}\n${table(call.io, ['step', 'state', 'USDC', 'until', 'task', 'title'], rows)}`;
  });
  return 0;
}
