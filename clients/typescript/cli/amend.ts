import { amendTask, unwrap, type Amending } from '../index.ts';
import {
  countOf,
  isSet,
  textOf,
  UsageError,
  wordsOf,
  type Call,
  type ExitCode,
} from './command.ts';
import { atomic, usdc } from './money.ts';
import { openReader, openSession } from './session.ts';
import { facts, show, table } from './show.ts';
import { defined } from '../../../domain/defined.ts';

/** `hub task amend`: changes the terms at once where that is allowed, and proposes them otherwise. */
export async function amend(call: Call): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const amending = amendingOf(call);
  const { hub } = await openSession(call);
  const made = await amendTask(hub, id, amending);
  show(call, made, () =>
    facts(call.io, [
      ['task', made.taskId],
      ['state', made.state],
      ['change', made.amendment?.id],
      ['is', made.amendment?.state],
    ]),
  );
  return 0;
}

function amendingOf(call: Call): Amending {
  const inAtomic = isSet(call, 'atomic');
  const [reward, clarification] = [textOf(call, 'reward'), textOf(call, 'clarify')];
  const [deadline, split] = [textOf(call, 'deadline'), textOf(call, 'split-reward')];
  const change = {
    ...(reward !== undefined && { rewardAmount: atomic(reward, inAtomic) }),
    ...defined({ deadline, clarification }),
  };
  const [accept, refuse, withdraw] = ['accept', 'refuse', 'withdraw'].map((name) =>
    textOf(call, name),
  );
  const forms: readonly Amending[] = [
    ...(Object.keys(change).length > 0 ? [{ change }] : []),
    ...(split === undefined ? [] : [{ split: partsOf(split, inAtomic) }]),
    ...(accept === undefined ? [] : [{ accept }]),
    ...(refuse === undefined ? [] : [{ refuse }]),
    ...(withdraw === undefined ? [] : [{ withdraw }]),
  ];
  const [form, another] = forms;
  if (form === undefined || another !== undefined) {
    throw new UsageError(
      'give new terms (--reward, --deadline, --clarify), --split-reward, or one of --accept, --refuse and --withdraw',
    );
  }
  return form;
}

function partsOf(text: string, inAtomic: boolean): NonNullable<Amending['split']> {
  const [worker, refund, more] = text.split(',');
  if (worker === undefined || refund === undefined || more !== undefined) {
    throw new UsageError('--split-reward takes WORKER,REFUND such as 3.50,1.50');
  }
  return { workerAmount: atomic(worker, inAtomic), refundAmount: atomic(refund, inAtomic) };
}

const LISTED = 20;

/** `hub task workers`: who was paid for such work, with measured figures. */
export async function workers(call: Call): Promise<ExitCode> {
  const [skill, ...more] = call.words;
  if (more.length > 0) throw new UsageError('it is `hub task workers SKILL`');
  const limit = countOf(call, 'limit') ?? LISTED;
  const hub = await openReader(call);
  const query = { limit: Math.min(limit, 100), ...defined({ skill }) };
  const { workers: found } = unwrap(await hub.GET('/api/v1/workers', { params: { query } }));
  const rows = found.map((one) => [
    one.account,
    String(one.paid),
    `${Math.floor(one.acceptedBps / 100)}%`,
    usdc(one.medianReward),
    `${Math.ceil(one.medianDeliverySeconds / 60)} min`,
    one.free === false ? 'busy' : 'free',
  ]);
  show(call, found, () =>
    rows.length === 0
      ? 'There is none.\n'
      : table(call.io, ['worker', 'paid', 'accepted', 'USDC', 'takes', 'now'], rows),
  );
  return 0;
}
