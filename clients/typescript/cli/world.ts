import { unwrap, type paths } from '../index.ts';
import type { Success } from '../routes.ts';
import {
  runVerb,
  UsageError,
  wordsOf,
  type Call,
  type Command,
  type ExitCode,
  type Verb,
} from './command.ts';
import { openSession } from './session.ts';
import { facts, show } from './show.ts';

type World = Success<paths['/api/v1/me/world']['get']>;

const VERBS: Readonly<Record<string, Verb>> = { show: showWorld, open, advance, close };
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

export const world: Command = {
  usage: 'world show|open|advance|close',
  summary: 'a test world with a clock that you move',
  help: `hub world open               opens a test world, or shows the one that is open
hub world show               its address, its time and its end
hub world advance TIME       moves its clock, by 90s, 30m, 12h or 7d
hub world close              ends it and deletes what is in it

Every other command acts in the world with --hub and its address.
`,
  run: (call) => runVerb('world', VERBS, call, 'show'),
};

async function showWorld(call: Call): Promise<ExitCode> {
  wordsOf(call);
  const { hub } = await openSession(call);
  return present(call, unwrap(await hub.GET('/api/v1/me/world')));
}

async function open(call: Call): Promise<ExitCode> {
  wordsOf(call);
  const { hub } = await openSession(call);
  return present(call, unwrap(await hub.POST('/api/v1/me/world')));
}

async function advance(call: Call): Promise<ExitCode> {
  const seconds = secondsOf(wordsOf(call, 'TIME')[0] ?? '');
  const { hub } = await openSession(call);
  return present(call, unwrap(await hub.POST('/api/v1/me/world/advance', { body: { seconds } })));
}

async function close(call: Call): Promise<ExitCode> {
  wordsOf(call);
  const { hub } = await openSession(call);
  const answer = unwrap(await hub.POST('/api/v1/me/world/close'));
  show(call, answer, () => (answer.closed ? 'The world is closed.\n' : 'There was none.\n'));
  return 0;
}

/** Seconds of a text such as `7d`; seconds without a unit. Throws UsageError. */
function secondsOf(text: string): number {
  const [, count, unit = 's'] = /^([1-9]\d{0,8})([smhd])?$/.exec(text) ?? [];
  if (count === undefined) throw new UsageError(`"${text}" is no time such as 90s, 30m, 12h or 7d`);
  return Number(count) * (UNIT_SECONDS[unit] ?? 1);
}

function present(call: Call, found: World): ExitCode {
  show(call, found, () =>
    facts(call.io, [
      ['address', found.url],
      ['time', `${found.now} (${found.aheadSeconds} s ahead)`],
      ['ends', found.endsAt],
      ['next', `hub me --hub ${found.url}`],
    ]),
  );
  return 0;
}
