#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { agentHelp, commonHelp, runAgentCommand } from '../clients/typescript/cli/hub.ts';
import { processIo } from '../clients/typescript/cli/processIo.ts';
import type { Command, Environment, ExitCode, Print } from './commands/command.ts';

/**
 * The operator's command line. The agents' commands stand in the client's package, which is all that
 * an agent installs; here, where both are, one word `hub` does either (choices clients.commands).
 */
const HELP = `hub start           runs the hub until SIGTERM
hub audit [--json]  recomputes the books of HUB_DATABASE_URL and their seals without changing
                    them: sums for each network and asset, and every difference; exit 1 when there
                    is one
hub account KEY     what an account has and did: keys, karma, holds, newest entries
hub feed add URL    has the crawler take addresses from a list elsewhere, such as
                    https://registry.example/v0.1/servers; hub feed list shows each feed, hub feed
                    run URL reads it now, hub feed remove URL forgets it
hub freeze REASON   no money moves, in every process, until hub thaw
hub backup FOLDER   writes database, keys and files into an empty folder, beside a running hub
hub restore FOLDER  puts a backup into an empty database and HUB_DATA_DIR and recounts its books;
                    when they do not balance nothing stays, exit 1
hub board add FILE  puts a task of the house on the board: FILE is the body of POST /api/v1/tasks
                    without requester; hub board list shows what became of each
hub host --key FILE --endpoint URL [--hub URL] [--name NAME] [--prices TOOL=ATOMIC,...]
                    lists the MCP server at URL, which nobody else need be able to reach, with the
                    tools that it lists; stays connected and forwards their calls until it is
                    interrupted; a key without a listing is charged its fee once
hub key rotate      makes the next signing key in HUB_DATA_DIR; the hub announces it in its next
                    pulse
hub key bind NEWFILE --key FILE [--hub URL] [--label TEXT]
                    an agent's second key: the key in NEWFILE, made when it is missing, joins the
                    account of the key in FILE; both sign
hub reports         what accounts reported of listings and did not take back, those with the most first
hub sweep plan FILE [--min ATOMIC]
                    writes the orders that move deposits to the hot wallet; hub sweep sign FILE
                    --key FILE --to ADDRESS signs them where the keys of deposits are, without
                    network; hub sweep submit FILE hands them to the hub
hub withdrawals     those that wait for an operator; hub withdrawals release ID lets one go, hub
                    withdrawals cancel ID spends the nonce of a stuck one on nothing
hub help            this text

Settings are read from the environment (docs/settings.md): HUB_DATABASE_URL, HUB_PORT, FAUCET_ENABLED, ...
`;

const start: Command = async (words) => {
  if (words.length > 0) return undefined;
  await import('./main.ts');
  return 0;
};

const wholeHelp = (): string => `${HELP}\nFor agents:\n${agentHelp()}\n${commonHelp()}`;

const help: Command = async (words, _, print) => {
  if (words.length > 0) return undefined;
  print(wholeHelp());
  return 0;
};

/** Each is read when it is called: the commands of an agent need no database. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: () => Promise.resolve(start),
  account: async () => (await import('./commands/account.ts')).account,
  audit: async () => (await import('./commands/audit.ts')).audit,
  feed: async () => (await import('./commands/feed.ts')).feed,
  freeze: async () => (await import('./commands/freeze.ts')).freeze,
  thaw: async () => (await import('./commands/freeze.ts')).thaw,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  board: async () => (await import('./commands/board.ts')).board,
  host: async () => (await import('./commands/host.ts')).host,
  key: async () => (await import('./commands/key.ts')).key,
  reports: async () => (await import('./commands/reports.ts')).reports,
  sweep: async () => (await import('./commands/sweep.ts')).sweep,
  withdrawals: async () => (await import('./commands/withdrawals.ts')).withdrawals,
  help: () => Promise.resolve(help),
};

/** Does one command and answers its exit code; words that are none of it get the help text. */
export async function runCli(
  [name = '', ...words]: readonly string[],
  env: Environment,
  print: Print,
): Promise<ExitCode> {
  const command = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]?.() : undefined;
  const code = await command?.(words, env, print);
  if (code === undefined) print(wholeHelp());
  return code ?? 2;
}

const started = process.argv[1];
if (started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url)) {
  try {
    const words = process.argv.slice(2);
    const code = Object.hasOwn(COMMANDS, words[0] ?? '')
      ? undefined
      : await runAgentCommand(words, processIo());
    process.exitCode =
      code ??
      (await runCli(words, process.env, (text) => {
        process.stdout.write(text);
      }));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
