import type {
  ContractField,
  ContractOperation,
} from '../../../clients/typescript/cli/contractOf.ts';
import { fieldsOf } from '../../../clients/typescript/cli/api.ts';
import type { SampleCall } from './call.ts';

const COLUMNS = 76;

export const SETUP = `npm install http://127.0.0.1:4020/client.tgz
npx --no hub init --hub http://127.0.0.1:4020
`;

/** The call with `hub api`: each field an option, and what no option can say in --body. */
export function terminal(call: SampleCall, operation: ContractOperation): string {
  const { id } = operation;
  const options = fieldsOf(operation);
  const rest: Record<string, unknown> = {};
  const words: string[] = [];
  for (const place of ['path', 'query', 'body'] as const) {
    for (const [name, value] of Object.entries(call.values[place])) {
      const field = options.find((each) => each.in === place && each.name === name);
      const word = field === undefined ? undefined : optionOf(field, value);
      if (word === undefined) rest[name] = value;
      else words.push(word);
    }
  }
  if (Object.keys(rest).length > 0) words.push(`--body ${quoted(JSON.stringify(rest))}`);
  const line = ['npx --no hub api', id, ...words].join(' ');
  return line.length <= COLUMNS
    ? `${line}\n`
    : `npx --no hub api ${id} \\\n  ${words.join(' \\\n  ')}\n`;
}

function optionOf({ name, type }: ContractField, value: unknown): string | undefined {
  if (type === 'boolean') return value === true ? `--${name}` : undefined;
  const text = type === 'json' ? JSON.stringify(value) : String(value);
  // A value that begins like an option is one, unless it is joined to its name.
  return text.startsWith('-') ? `--${name}=${quoted(text)}` : `--${name} ${quoted(text)}`;
}

function quoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
