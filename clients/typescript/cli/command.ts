import type { ParseArgsConfig } from 'node:util';

/**
 * Exit codes: 0 done; 1 the answer is no (the hub refused, a check failed, the work was not paid);
 * 2 unusable words or files; 3 outcome unknown, because the hub did not answer; 130 interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

type Environment = Readonly<Record<string, string | undefined>>;

/** The process as commands see it, so that tests can replace it. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Environment;
  /** The hub that the package was installed from; absent when it came from elsewhere. */
  readonly servedBy?: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly isTerminal: { readonly out: boolean; readonly err: boolean };
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

export type Options = NonNullable<ParseArgsConfig['options']>;
/** The given options: a flag is true, a repeated option a list. */
type Values = Readonly<
  Record<string, string | boolean | readonly (string | boolean)[] | undefined>
>;

export interface Call {
  readonly io: Io;
  readonly words: readonly string[];
  readonly values: Values;
}

export interface Command {
  /** The words behind the name, for people. */
  readonly usage: string;
  readonly summary: string;
  /** One line per option that is the command's own. */
  readonly options?: Options;
  readonly help?: string;
  run(call: Call): Promise<ExitCode>;
}

/** The words were not usable: exit 2 and this text, with the way to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const COMMON: Options = {
  hub: { type: 'string' },
  key: { type: 'string' },
  home: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
};

export const COMMON_HELP = `  --hub URL      the hub; otherwise AGENT_HUB, what "hub init" kept, the hub that the package was
                 installed from, or http://127.0.0.1:4020
  --key FILE     the account's key; otherwise AGENT_KEY or agent.key in the home folder
  --home FOLDER  where keys, unfinished payments and receipts are; otherwise AGENT_HOME or ./.hub
  --json         the answer as JSON on standard output, refusals as JSON on standard error
  --help         this text; --version prints the version
`;

export function textOf({ values }: Pick<Call, 'values'>, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function isSet({ values }: Pick<Call, 'values'>, name: string): boolean {
  return values[name] === true;
}

/** A whole number of an option. Throws UsageError. */
export function countOf(call: Pick<Call, 'values'>, name: string): number | undefined {
  const text = textOf(call, name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} takes a whole number`);
  return Number(text);
}

/** Just these words, no more and no fewer. Throws UsageError. */
export function wordsOf(
  { words }: Pick<Call, 'words'>,
  ...names: readonly string[]
): readonly string[] {
  const missing = names[words.length];
  if (missing !== undefined) throw new UsageError(`it lacks ${missing}`);
  const more = words[names.length];
  if (more !== undefined) throw new UsageError(`"${more}" is one word too many`);
  return words;
}

/** A command of a command, such as `list` of `hub task list`. */
export type Verb = (call: Call) => Promise<ExitCode>;

export function runVerb(
  command: string,
  verbs: Readonly<Record<string, Verb>>,
  call: Call,
  otherwise = '',
): Promise<ExitCode> {
  const [name = otherwise, ...words] = call.words;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) {
    throw new UsageError(`"${command} ${name}" is none of ${Object.keys(verbs).join(', ')}`);
  }
  return verb({ ...call, words });
}
