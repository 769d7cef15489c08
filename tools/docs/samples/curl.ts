import { snippet } from '../../../handlers/discovery/content/code.ts';
import type { Place, SampleCall } from './call.ts';

const BASE = 'http://127.0.0.1:4020';
const COLUMNS = 76;

/** The signer of the quickstart as functions of a shell, and the account that they sign for. */
export const SETUP = `${snippet('shell', BASE)}
me=key:$(hub_keyid)
`;

/** The call with curl. The function \`hub\` signs and sends one that needs a signature. */
export function curl(call: SampleCall): string {
  const { operation, method } = call;
  const target = targetOf(call);
  const body = bodyOf(call);
  if (operation['x-auth'] === 'signed') return line([`hub ${method} ${target}`, ...body]);
  const url = target.startsWith('"') ? `"${BASE}${target.slice(1)}` : BASE + target;
  const words = [method === 'GET' ? `curl -sS ${url}` : `curl -sS -X ${method} ${url}`];
  if (operation['x-auth'] === 'api-key') words.push(`-H 'authorization: Bearer hub_your-api-key'`);
  if (body.length === 0) return line(words);
  return line([...words, `-H 'content-type: application/json'`, `--data-raw ${body.join('')}`]);
}

function line(words: readonly string[]): string {
  const whole = words.join(' ');
  return whole.length <= COLUMNS ? `${whole}\n` : `${words.join(' \\\n  ')}\n`;
}

/** In double quotes, where the shell puts the account in; it reads nothing else in an address. */
function targetOf({ path, values, owner }: SampleCall): string {
  const at = (place: Place): Record<string, unknown> => ({
    ...values[place],
    ...(owner?.place === place && { [owner.name]: ME }),
  });
  const inPath = at('path');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(inPath[name]));
  const query = Object.entries(at('query')).map(([name, value]) => `${name}=${encoded(value)}`);
  const target = query.length === 0 ? filled : `${filled}?${query.join('&')}`;
  return /^[\w./:-]+$/.test(target) ? target : `"${target}"`;
}

const ME = '$me';

function encoded(value: unknown): string {
  return value === ME ? ME : encodeURIComponent(String(value)).replaceAll('%3A', ':');
}

/** JSON in single quotes, which end around what the shell puts in: the account and a fresh key. */
function bodyOf({ operation, values, owner, hasBody }: SampleCall): readonly string[] {
  if (!hasBody) return [];
  const key = operation['x-idempotency']?.replace(/^body\./, '');
  const isKeyInBody = key !== undefined && operation['x-idempotency']?.startsWith('body.') === true;
  const text = JSON.stringify({
    ...(owner?.place === 'body' && { [owner.name]: ME }),
    ...values.body,
    ...(isKeyInBody && { [key]: KEY }),
  });
  const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    quoted
      .replaceAll(`"${ME}"`, `"'"$me"'"`)
      .replaceAll(`"${KEY}"`, `"'"$(openssl rand -hex 16)"'"`),
  ];
}

const KEY = '$key';
