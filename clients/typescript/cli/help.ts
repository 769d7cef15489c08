import { COMMON_HELP, type Command } from './command.ts';

/** The help of the commands, of which no line is wider than a terminal of 80 columns. */
const COLUMNS = 80;

export const GROUPS: readonly (readonly [title: string, ...names: string[]])[] = [
  ['Begin', 'init', 'me', 'work', 'doctor'],
  ['Hire and pay', 'task', 'chain', 'search', 'call', 'pay', 'resume'],
  ['Your account', 'keys', 'statement', 'webhooks', 'export', 'erase'],
  ['Verify without the hub', 'verify', 'proof'],
  ['For programs and tests', 'api', 'mcp', 'world', 'completion'],
];

const EXIT_CODES = `Exit codes:
  0    done
  1    the answer is no: refused, not paid, not verified
  2    the words or the files were not usable
  3    the hub did not answer, so the outcome is unknown
  130  interrupted
`;

export function wholeHelp(commands: Readonly<Record<string, Command>>): string {
  const names = Object.keys(commands).map(({ length }) => length);
  const width = Math.max(...names);
  const groups = GROUPS.map(([title, ...own]) => {
    const lines = own.map(
      (name) => `  hub ${name.padEnd(width)}  ${commands[name]?.summary ?? ''}\n`,
    );
    return `${title}:\n${lines.join('')}`;
  });
  return folded(
    `hub: an account, work and money on an Agent Exchange hub\n\n${groups.join('\n')}
Options of every command:
${COMMON_HELP}
"hub COMMAND --help" shows one of them. ${EXIT_CODES}`,
  );
}

export function helpOf({ usage, summary, help = '' }: Command): string {
  const more = help === '' ? '' : `\n${help}`;
  return folded(`hub ${usage}\n\n${summary}\n${more}\n${COMMON_HELP}\n${EXIT_CODES}`);
}

interface Item {
  /** The option and the space behind it; only spaces for prose. */
  readonly head: string;
  readonly words: string[];
  isOpen: boolean;
}

/**
 * Breaks paragraphs and options at 80 columns. A line goes on from the one above when it begins at
 * the same column; a line below a colon is an example, which is copied and therefore never broken.
 */
export function folded(text: string): string {
  const items: Item[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const [, option = '', rest = ''] = /^( *\S(?:.*?\S)? {2,})(\S.*)$/.exec(line) ?? [];
    const margin = /^ */.exec(line)?.[0] ?? '';
    const last = items.at(-1);
    const goesOn = last?.isOpen === true && option === '' && last.head.length === margin.length;
    const own = (option === '' ? line : rest).trim().split(' ');
    if (last !== undefined && goesOn && line !== '') last.words.push(...own);
    else items.push({ head: option === '' ? margin : option, words: own, isOpen: true });
    const now = items.at(-1);
    if (now !== undefined) now.isOpen = line !== '' && !line.endsWith(':');
  }
  return `${items.map(linesOf).join('\n')}\n`;
}

function linesOf({ head, words }: Item): string {
  const lines = [head];
  let isFresh = true;
  for (const word of words) {
    const line = `${lines.at(-1) ?? ''}${isFresh ? '' : ' '}${word}`;
    if (isFresh || line.length <= COLUMNS) lines[lines.length - 1] = line;
    else lines.push(`${' '.repeat(head.length)}${word}`);
    isFresh = false;
  }
  return lines.join('\n').trimEnd();
}
