#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { audit } from './commands/audit.ts';
import { backup } from './commands/backup.ts';
import { board } from './commands/board.ts';
import type { Command, Environment, ExitCode, Print } from './commands/command.ts';
import { key } from './commands/key.ts';
import { mcp } from './commands/mcp.ts';
import { restore } from './commands/restore.ts';
import { verify } from './commands/verify.ts';

/** The operator's command line. */
const HELP = `hub start           runs the hub until SIGTERM
hub audit [--json]  recomputes the books of HUB_DATABASE_URL and their seals without changing
                    them: sums for each network and asset, and every difference; exit 1 when there
                    is one
hub backup FOLDER   writes database, keys and files into an empty folder, beside a running hub
hub restore FOLDER  puts a backup into an empty database and HUB_DATA_DIR and recounts its books;
                    when they do not balance nothing stays, exit 1
hub board add FILE  puts a task of the house on the board: FILE is the body of POST /api/v1/tasks
                    without requester; hub board list shows what became of each
hub key rotate      makes the next signing key in HUB_DATA_DIR; the hub announces it in its next
                    pulse
hub key bind NEWFILE --key FILE [--hub URL] [--label TEXT]
                    an agent's second key: the key in NEWFILE, made when it is missing, joins the
                    account of the key in FILE; both sign
hub mcp --key FILE [--hub URL] [--join FILE]
                    an MCP server on standard input and output for hosts that cannot sign: it signs
                    with the key in FILE, which it makes when it is missing, and forwards to a hub;
                    --join: first its key joins the account of the key in that file, signed by both
hub verify FILE --keys FILE
                    checks what a hub signed, without the hub: a pulse, a stamp and its proof, the
                    signed time, a sealed block, or a chain of them; FILE may be - and the keys are
                    the saved answer of GET /keys; exit 1 when it is refused
hub help            this text

Settings are read from the environment (docs/settings.md): HUB_DATABASE_URL, HUB_PORT, FAUCET_ENABLED, ...
`;

const start: Command = async (words) => {
  if (words.length > 0) return undefined;
  await import('./main.ts');
  return 0;
};

const help: Command = async (words, _, print) => {
  if (words.length > 0) return undefined;
  print(HELP);
  return 0;
};

const COMMANDS: Readonly<Record<string, Command>> = {
  start,
  audit,
  backup,
  restore,
  board,
  key,
  mcp,
  verify,
  help,
};

/** Does one command and answers its exit code; words that are none of it get the help text. */
export async function runCli(
  [name = '', ...words]: readonly string[],
  env: Environment,
  print: Print,
): Promise<ExitCode> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const code = await command?.(words, env, print);
  if (code === undefined) print(HELP);
  return code ?? 2;
}

const started = process.argv[1];
if (started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await runCli(process.argv.slice(2), process.env, (text) => {
      process.stdout.write(text);
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
