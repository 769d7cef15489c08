import { parseArgs, type ParseArgsConfig } from 'node:util';
import { closest } from '../../domain/closest.ts';

/** The options of a command: `flag`, or `value` for one that takes the next word. */
export type OptionKinds = Readonly<Record<string, 'flag' | 'value'>>;

export type ReadWords =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'unusable'; readonly why: string };

/**
 * Reads the words behind a command, so that no command takes an option for a name, a folder or a
 * reason. Answers the plain words and then the options; words behind `--` are plain.
 */
export function readWords(given: readonly string[], kinds: OptionKinds): ReadWords {
  const options: NonNullable<ParseArgsConfig['options']> = {
    help: { type: 'boolean', short: 'h' },
  };
  for (const [name, kind] of Object.entries(kinds)) {
    options[name] = { type: kind === 'flag' ? 'boolean' : 'string' };
  }
  const { tokens } = parseArgs({ args: [...given], options, strict: false, tokens: true });
  const named = tokens.filter((token) => token.kind === 'option');
  if (named.some(({ name }) => name === 'help')) return { kind: 'help' };
  const seen = new Set<string>();
  const pairs: string[] = [];
  for (const { name, rawName, value, inlineValue } of named) {
    const kind = Object.hasOwn(kinds, name) && rawName === `--${name}` ? kinds[name] : undefined;
    if (kind === undefined) return unusable(unknown(rawName, Object.keys(kinds)));
    if (seen.has(name)) return unusable(`${rawName} is given twice.`);
    seen.add(name);
    // A word with a dash is rather the next option than a value, unless it is written with `=`.
    const isLost = value === undefined || (value.startsWith('-') && inlineValue !== true);
    if (kind === 'value' && isLost) return unusable(`${rawName} needs a value.`);
    if (kind === 'flag' && value !== undefined) return unusable(`${rawName} takes no value.`);
    pairs.push(rawName, ...(value === undefined ? [] : [value]));
  }
  const plain = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  return { kind: 'words', words: [...plain, ...pairs] };
}

function unusable(why: string): ReadWords {
  return { kind: 'unusable', why };
}

function unknown(rawName: string, names: readonly string[]): string {
  const meant = closest(rawName.replace(/^-+/, ''), [...names, 'help']);
  const hint =
    meant === undefined
      ? 'Words that begin with a dash go behind "--".'
      : `Did you mean --${meant}?`;
  return `There is no option ${rawName}. ${hint}`;
}
