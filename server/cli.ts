#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closest } from '../domain/closest.ts';
import type { Command, Environment, ExitCode, Print } from './commands/command.ts';
import { readWords, type OptionKinds } from './commands/words.ts';
import { service } from '../generated/doors.ts';

/** `hubctl`, the operator's program. Agents have `hub` (choices clients.commands). */
interface Described {
  readonly help: string;
  readonly options?: OptionKinds;
  /** Loads the command when it is called: few of them need all of the hub. */
  readonly load: () => Promise<Command>;
}

const start: Command = async (words) => {
  if (words.length > 0) return undefined;
  await import('./main.ts');
  return 0;
};

const help: Command = ([name, ...more], _, print) => {
  const one = name === undefined ? undefined : commandOf(name);
  if (more.length > 0 || (name !== undefined && one === undefined))
    return Promise.resolve(undefined);
  print(one === undefined ? wholeHelp() : `${one.help}\n`);
  return Promise.resolve(0);
};

const version: Command = (words, _, print) => {
  if (words.length > 0) return Promise.resolve(undefined);
  print(`${service.version}\n`);
  return Promise.resolve(0);
};

export const COMMANDS: Readonly<Record<string, Described>> = {
  start: {
    help: 'hubctl start: runs the hub until SIGTERM.',
    load: () => Promise.resolve(start),
  },
  doctor: {
    help: `hubctl doctor [--search]: checks settings, database, clock, keys, chain, disk and proxy, and prints
  what is wrong and what to do; exits with 1 if the hub cannot work like this. --search reads the
  index of search and all its documents as well, and names those that differ.`,
    options: { search: 'flag' },
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  bundle: {
    help: `hubctl bundle FILE [--log FILE]: writes what a question about this hub needs into one file: versions,
  settings without secrets, the doctor, metrics, and with the log its newest errors. Read it first.`,
    options: { log: 'value' },
    load: async () => (await import('./commands/bundle.ts')).bundle,
  },
  migrate: {
    help: `hubctl migrate [--plan]: brings the tables of HUB_DATABASE_URL up to date beside running hubs;
  --plan only prints the migrations that wait, and what each locks and for how long.`,
    options: { plan: 'flag' },
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  audit: {
    help: `hubctl audit [--json]: recomputes the books of HUB_DATABASE_URL and their seals without
  changing them; prints sums for each network and asset, and exits with 1 on any difference.`,
    options: { json: 'flag' },
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  account: {
    help: 'hubctl account KEY: shows keys, karma, holds and newest entries of an account.',
    load: async () => (await import('./commands/account.ts')).account,
  },
  explain: {
    help: `hubctl explain ID [--log FILE]: shows what happened to a task, a transfer or an account, by whom
  and when, with verdicts, holds and payments. With the log, in a file or by standard input (-), also
  requests and their refusals; then ID may be a request's.`,
    options: { log: 'value' },
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  freeze: {
    help: 'hubctl freeze REASON: stops the money of every process of the database.',
    load: async () => (await import('./commands/freeze.ts')).freeze,
  },
  thaw: {
    help: 'hubctl thaw: lets money move again.',
    load: async () => (await import('./commands/freeze.ts')).thaw,
  },
  backup: {
    help: `hubctl backup FOLDER: writes database, keys and files into an empty folder.
  hubctl backup --noted: only notes that another program, such as pgBackRest, has made one.
  hubctl backup verify FOLDER: restores a backup into a folder that it removes, recounts the books,
  and says how long that took.`,
    options: { noted: 'flag' },
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  restore: {
    help: `hubctl restore FOLDER: restores a backup into an empty database and HUB_DATA_DIR; leaves
  nothing and exits with 1 if its books do not balance. hubctl restore FOLDER --account KEY --into
  OUT: takes notes and files of one account out of a backup, beside a running hub.`,
    options: { account: 'value', into: 'value' },
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  copy: {
    help: `hubctl copy --to URL: copies the database of a hub that is stopped into an empty one, from SQLite
  to PostgreSQL or back, and recounts the books there; keys and files stay where they are.`,
    options: { to: 'value' },
    load: async () => (await import('./commands/copy.ts')).copy,
  },
  archive: {
    help: `hubctl archive FOLDER [--until DATE]: copies sealed blocks of the journal into files, by
  default those of past months. hubctl archive verify FOLDER: recomputes them without a database.
  hubctl archive prove FOLDER TRANSFER: prints a transfer with its way to a signed block and pulse.`,
    options: { until: 'value' },
    load: async () => (await import('./commands/archive.ts')).archive,
  },
  board: {
    help: `hubctl board add FILE: publishes a task of the house; FILE is the body of POST /api/v1/tasks
  without requester. hubctl board list: shows the state of these tasks.`,
    load: async () => (await import('./commands/board.ts')).board,
  },
  plant: {
    help: `hubctl plant answer ATTEMPT accepted|rejected: notes the answer of a planted result between its
  claim and its delivery. hubctl plant draw FILE [EVERY]: draws the next planted task from your own
  cases. hubctl plant check: compares planted tasks with real ones.`,
    load: async () => (await import('./commands/plant.ts')).plant,
  },
  feed: {
    help: `hubctl feed add URL: the crawler takes addresses from a list elsewhere, such as
  https://registry.example/v0.1/servers. hubctl feed list, run URL and remove URL manage the feeds.`,
    load: async () => (await import('./commands/feed.ts')).feed,
  },
  reports: {
    help: 'hubctl reports: lists open reports of listings, the most reported first.',
    load: async () => (await import('./commands/reports.ts')).reports,
  },
  ban: {
    help: `hubctl ban KEY REASON: the account of the key begins nothing new; its money stays its own, and
  it can end what it began, withdraw and appeal. hubctl lift ends the ban. hubctl ban evm:0x… REASON
  takes no more payments of a wallet that pays over x402 without a key.`,
    load: async () => (await import('./commands/moderation.ts')).ban,
  },
  hide: {
    help: `hubctl hide KIND ID REASON: takes a listing, passport, task, chain, comment, pitch, solution,
  market, table or report out of every answer.`,
    load: async () => (await import('./commands/moderation.ts')).hide,
  },
  decisions: {
    help: 'hubctl decisions: lists bans and hidden texts; appeals without an answer come first.',
    load: async () => (await import('./commands/moderation.ts')).decisions,
  },
  lift: {
    help: 'hubctl lift DECISION ANSWER: ends a ban or shows a text again, and answers the appeal.',
    load: async () => (await import('./commands/moderation.ts')).lift,
  },
  uphold: {
    help: 'hubctl uphold DECISION ANSWER: answers an appeal; the decision stands.',
    load: async () => (await import('./commands/moderation.ts')).uphold,
  },
  key: {
    help: `hubctl key rotate: creates the next signing key in HUB_DATA_DIR, which the next pulse announces.
hubctl key bind NEWFILE --key FILE [--hub URL] [--label TEXT]: binds the key in NEWFILE, which is
  created if it is missing, to the account of the key in FILE; both sign.`,
    options: { key: 'value', hub: 'value', label: 'value' },
    load: async () => (await import('./commands/key.ts')).key,
  },
  host: {
    help: `hubctl host --key FILE --endpoint URL [--hub URL] [--name NAME] [--prices TOOL=ATOMIC,...]:
  lists an MCP server that has no public address, and forwards calls to it until it is interrupted.`,
    options: { key: 'value', endpoint: 'value', hub: 'value', name: 'value', prices: 'value' },
    load: async () => (await import('./commands/host.ts')).host,
  },
  sweep: {
    help: `hubctl sweep plan FILE [--min ATOMIC]: writes orders that move deposits to the hot wallet.
hubctl sweep sign FILE --key FILE --to ADDRESS: signs them where the keys of deposits are, without
  network. hubctl sweep submit FILE: hands them to the hub.`,
    options: { min: 'value', key: 'value', to: 'value' },
    load: async () => (await import('./commands/sweep.ts')).sweep,
  },
  pulses: {
    help: `hubctl pulses: shows the pulses that a wrong clock dated after now. hubctl pulses withdraw SEQ:
  takes them out of the chain of signed time, from the first one, SEQ, on; they stay readable.`,
    load: async () => (await import('./commands/pulses.ts')).pulses,
  },
  withdrawals: {
    help: `hubctl withdrawals: lists withdrawals that need an operator. hubctl withdrawals release ID: lets
  one go. hubctl withdrawals cancel ID: spends the nonce of a stuck one.`,
    load: async () => (await import('./commands/withdrawals.ts')).withdrawals,
  },
  witness: {
    help: `hubctl witness --log URL --log-key VKEY --name NAME --key FILE [--state FILE] [--every SECONDS]:
  follows the log of another hub, signs each checkpoint that continues the last one in --state, and
  hands the signature back; exits with 1 on a fork.`,
    options: {
      log: 'value',
      'log-key': 'value',
      name: 'value',
      key: 'value',
      state: 'value',
      every: 'value',
    },
    load: async () => (await import('./commands/witness.ts')).witness,
  },
  help: {
    help: 'hubctl help [COMMAND], hubctl COMMAND --help: prints what the commands do, or one of them.',
    load: () => Promise.resolve(help),
  },
  version: {
    help: 'hubctl version: prints the version of the hub.',
    load: () => Promise.resolve(version),
  },
};
const ALIASES: Readonly<Record<string, string>> = {
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
};

function commandOf(name: string): Described | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

function wholeHelp(): string {
  const texts = Object.values(COMMANDS).map((command) => command.help);
  return `${texts.join('\n')}\n\nSettings are read from the environment: HUB_DATABASE_URL, HUB_PORT and others (docs/settings.md).\n`;
}

/** Runs one command and returns its exit code; 2 if the words are not usable. */
export async function runCli(
  [word = '', ...words]: readonly string[],
  env: Environment,
  print: Print,
): Promise<ExitCode> {
  const name = ALIASES[word] ?? word;
  const command = commandOf(name);
  if (command === undefined) {
    print(name === '' ? wholeHelp() : await unknown(name));
    return 2;
  }
  const read = readWords(words, command.options ?? {});
  if (read.kind === 'help') {
    print(`${command.help}\n`);
    return 0;
  }
  if (read.kind === 'unusable') {
    print(`hubctl ${name}: ${read.why}\n${command.help}\n`);
    return 2;
  }
  const code = await (await command.load())(read.words, env, print);
  if (code === undefined) print(`${command.help}\n`);
  return code ?? 2;
}

async function unknown(name: string): Promise<string> {
  const agents = await import('../clients/typescript/cli/hub.ts');
  const isAgents = Object.hasOwn(agents.COMMANDS, name);
  const meant = isAgents ? undefined : closest(name, Object.keys(COMMANDS));
  const hint = isAgents
    ? `"hub ${name}" is a command for agents, of the package that the hub serves at /client.tgz.`
    : meant === undefined
      ? ''
      : `Did you mean "hubctl ${meant}"?`;
  return `hubctl: there is no command "${name}". ${hint}\n"hubctl help" lists all commands.\n`;
}

/** The remedy where a start would say one, and otherwise the words of the error. */
async function whyOf(error: unknown): Promise<string> {
  const [{ startRefusal }, { readSettings }] = await Promise.all([
    import('./boot/startRefusal.ts'),
    import('./boot/config.ts'),
  ]);
  const message = error instanceof Error ? error.message : String(error);
  try {
    return startRefusal(error, readSettings(process.env)) ?? message;
  } catch {
    return message;
  }
}

const started = process.argv[1];
if (started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await runCli(process.argv.slice(2), process.env, (text) => {
      process.stdout.write(text);
    });
  } catch (error) {
    process.stderr.write(`${await whyOf(error)}\n`);
    process.exitCode = 2;
  }
}
