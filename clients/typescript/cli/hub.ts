import { parseArgs } from 'node:util';
import { service } from '../../../generated/doors.ts';
import { api } from './api.ts';
import { call } from './call.ts';
import { chain } from './chain.ts';
import { COMMON, UsageError } from './command.ts';
import type { Command, ExitCode, Io, Options } from './command.ts';
import { closest } from '../../../domain/closest.ts';
import { completionCommand } from './completion.ts';
import { doctor } from './doctor.ts';
import { eraseAccount } from './erase.ts';
import { exportAccount } from './export.ts';
import { fail } from './failure.ts';
import { helpOf, wholeHelp } from './help.ts';
import { init } from './init.ts';
import { keys } from './keys.ts';
import { mcp } from './mcp.ts';
import { me } from './me.ts';
import { pay } from './pay.ts';
import { proof } from './proof.ts';
import { resume } from './resume.ts';
import { search } from './search.ts';
import { statement } from './statement.ts';
import { task } from './task.ts';
import { verify } from './verify.ts';
import { webhooks } from './webhooks.ts';
import { work } from './work.ts';
import { world } from './world.ts';

/** Agents' commands, which know a hub by its address alone; `hubctl` is for operators. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  init,
  me,
  work,
  doctor,
  task,
  chain,
  search,
  call,
  pay,
  keys,
  statement,
  export: exportAccount,
  erase: eraseAccount,
  proof,
  webhooks,
  world,
  verify,
  resume,
  mcp,
  api,
  completion: completionCommand(() => COMMANDS),
};

/** An operation may have a field of this name, so `hub api` takes it as that. */
const VERSION: Options = { version: { type: 'boolean', short: 'v' } };

/** Does one of the agents' commands; undefined when the first word is none. */
export async function runAgentCommand(
  [name = '', ...args]: readonly string[],
  io: Io,
): Promise<ExitCode | undefined> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return undefined;
  const bare = { io, words: args, values: { json: args.includes('--json') } };
  try {
    // The options of an operation are known when its name is.
    if (command === api) return await api.run(bare);
    const options = { ...COMMON, ...VERSION, ...command.options };
    const { values, positionals } = parsed(args, options);
    if (values['help'] === true) {
      io.out(helpOf(command));
      return 0;
    }
    if (values['version'] === true) return printVersion(io);
    return await command.run({ io, words: positionals, values });
  } catch (error) {
    if (io.signal.aborted) return 130;
    return fail(bare, name, error);
  }
}

export async function runHub(words: readonly string[], io: Io): Promise<ExitCode> {
  const code = await runAgentCommand(words, io);
  if (code !== undefined) return code;
  const [name = 'help'] = words;
  if (name === 'help' || name === '--help' || name === '-h') {
    io.out(wholeHelp(COMMANDS));
    return 0;
  }
  if (['--version', '-v', 'version'].includes(name)) return printVersion(io);
  const names = Object.keys(COMMANDS);
  const meant = closest(name, names);
  const advice =
    meant === undefined ? `The commands are ${names.join(', ')}.` : `Did you mean "hub ${meant}"?`;
  io.err(
    `hub: there is no command "${name}". ${advice} Operators use hubctl, which comes with the hub itself.\n`,
  );
  return 2;
}

function printVersion(io: Io): ExitCode {
  io.out(`${service.version}\n`);
  return 0;
}

function parsed(
  args: readonly string[],
  options: typeof COMMON,
): {
  readonly values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  readonly positionals: readonly string[];
} {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error),
    );
  }
}
