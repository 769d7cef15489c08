import { unwrap, type paths } from '../index.ts';
import { countOf, isSet, textOf, UsageError, type Call, type ExitCode } from './command.ts';
import { jsonFile, jsonOf } from './input.ts';
import { atomic, usdc } from './money.ts';
import { openSession, ownerOf } from './session.ts';
import { storedFiles } from './taskFile.ts';
import { facts, show } from './show.ts';
import { defined } from '../../../domain/defined.ts';

type Body = paths['/api/v1/tasks']['post']['requestBody']['content']['application/json'];

/** `hub task publish`: the reward is held from the balance at once. */
export async function publish(call: Call): Promise<ExitCode> {
  const [file, ...more] = call.words;
  if (more.length > 0) throw new UsageError(`"${more[0] ?? ''}" is one word too many`);
  const written = file === undefined ? {} : await jsonFile(call.io, file);
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    throw new UsageError(`${file ?? ''} holds no JSON object`);
  }
  const given = { ...written, ...(await optionsOf(call)) };
  if (!('title' in given)) throw new UsageError('it lacks --title TEXT, or a FILE with one');
  const { hub } = await openSession(call);
  // The hub checks what the file holds, and says which field it refuses.
  const files = await storedFiles(call, hub);
  const owner = await ownerOf(hub);
  const body = { ...given, ...files, requester: owner } as Body;
  const made = unwrap(await hub.POST('/api/v1/tasks', { body }));
  show(call, made, () =>
    facts(call.io, [
      ['task', made.id],
      ['title', made.title],
      [
        'escrow',
        made.reward === undefined ? 'nothing' : `${usdc(made.reward.amount)} ${made.reward.asset}`,
      ],
      ['next', `hub task watch ${made.id}`],
    ]),
  );
  return 0;
}

const HOUR = 3_600;

async function optionsOf(call: Call): Promise<Record<string, unknown>> {
  const [title, description] = [textOf(call, 'title'), textOf(call, 'description')];
  const [reward, input] = [textOf(call, 'reward'), textOf(call, 'input')];
  const { skill, contains } = call.values;
  const shares = sharesOf(call);
  const [lease, renew] = [countOf(call, 'lease-hours'), countOf(call, 'renew-hours')];
  return {
    ...defined({ title, description }),
    ...(reward !== undefined && { rewardAmount: atomic(reward, isSet(call, 'atomic')) }),
    ...(Array.isArray(skill) && { requiredSkills: skill }),
    ...(Array.isArray(contains) && {
      acceptance: { kind: 'contains', mode: 'all', values: contains },
    }),
    ...defined({ shares }),
    ...(isSet(call, 'private') && { audience: 'parties' }),
    ...(Array.isArray(call.values['offer']) && { offeredTo: { accounts: call.values['offer'] } }),
    ...(lease !== undefined && { leaseSeconds: lease * HOUR }),
    ...(renew !== undefined && { renewForSeconds: renew * HOUR }),
    ...(input !== undefined && { input: await jsonOf(call.io, input, '--input') }),
  };
}

function sharesOf(call: Call): Record<string, unknown> | undefined {
  const { place } = call.values;
  const undecided = textOf(call, 'undecided');
  if (!Array.isArray(place) && !isSet(call, 'split')) {
    if (undecided === undefined) return undefined;
    throw new UsageError('--undecided goes with --place or --split');
  }
  return {
    ...(Array.isArray(place) && { places: place.map(pointsOf) }),
    ...(isSet(call, 'split') && { split: true }),
    ...defined({ undecided }),
  };
}

function pointsOf(text: unknown): number {
  if (typeof text === 'string' && /^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new UsageError('--place takes basis points, such as 6000');
}
