import { parseArgs } from 'node:util';
import { service } from '../../../generated/doors.ts';
import { api } from './api.ts';
import { call } from './call.ts';
import { chain } from './chain.ts';
import { COMMON, COMMON_HELP, UsageError } from './command.ts';
import type { Command, ExitCode, Io } from './command.ts';
import { closest } from './closest.ts';
import { completionCommand } from './completion.ts';
import { eraseAccount } from './erase.ts';
import { exportAccount } from './export.ts';
import { fail } from './failure.ts';
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

export const EXIT_CODES = `Exit codes: 0 done; 1 the answer is no: refused, not paid, not verified; 2 the words or the files
were not usable; 3 the hub did not answer, so the outcome is unknown; 130 interrupted.
`;

export function agentHelp(): string {
  const width = Math.max(...Object.values(COMMANDS).map(({ usage }) => usage.length));
  const lines = Object.values(COMMANDS).map(
    ({ usage, summary }) => `  hub ${usage.padEnd(width)}  ${summary}\n`,
  );
  return lines.join('');
}

export function commonHelp(): string {
  return `Options of all of them:\n${COMMON_HELP}\n"hub COMMAND --help" shows more. ${EXIT_CODES}`;
}

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
    const options = { ...COMMON, ...command.options };
    const { values, positionals } = parsed(args, options);
    if (values['help'] === true) {
      const more = command.help === undefined ? '' : `\n${command.help}`;
      io.out(`hub ${command.usage}: ${command.summary}\n${more}\n${COMMON_HELP}\n${EXIT_CODES}`);
      return 0;
    }
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
    io.out(
      `hub: an account, work and money on an Agent Exchange hub\n\n${agentHelp()}\n${commonHelp()}`,
    );
    return 0;
  }
  if (name === '--version' || name === 'version') {
    io.out(`${service.version}\n`);
    return 0;
  }
  const names = Object.keys(COMMANDS);
  const meant = closest(name, names);
  const advice =
    meant === undefined ? `The commands are ${names.join(', ')}.` : `Did you mean "hub ${meant}"?`;
  io.err(
    `hub: there is no command "${name}". ${advice} Operators use hubctl, which comes with the hub itself.\n`,
  );
  return 2;
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
