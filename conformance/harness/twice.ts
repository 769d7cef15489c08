import { appendFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { operationOf, type DeclaredOperation } from './contract.ts';

/**
 * With `SENT_TWICE`, a file, each call of a signer that changes something is sent under a key and,
 * once it counted, a second time, as a client does whose answer was cut off. Each line of the file
 * says how one went (coverage/sentTwice.test.ts).
 */
const NOTES = process.env['SENT_TWICE'];
const KEY = '#/components/parameters/KeyHeader';

/** Whether a key of the header makes the operation once-only. */
export function takesKey({ raw }: DeclaredOperation): boolean {
  const parameters = (raw['parameters'] ?? []) as readonly { readonly $ref?: string }[];
  return parameters.some(({ $ref }) => $ref === KEY);
}

export interface SentTwice {
  readonly id: string;
  /** The second answer, where it is not the first one again. */
  readonly fault?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export async function postTwice<A extends Answer>(
  path: string,
  body: unknown,
  send: (headers?: Readonly<Record<string, string>>) => Promise<A>,
): Promise<A> {
  const operation = operationOf('POST', path.split('?')[0] ?? '');
  if (NOTES === undefined || operation === undefined || !takesKey(operation)) return send();
  const isKeyed = typeof body === 'object' && body !== null && 'idempotencyKey' in body;
  const headers = isKeyed ? {} : { 'idempotency-key': `twice-${randomUUID()}` };
  const first = await send(headers);
  if (first.status >= 300) return first;
  const second = await send(headers);
  const { operationId: id } = operation;
  const note: SentTwice = isAgain(id, first, second) ? { id } : { id, fault: second.text };
  appendFileSync(NOTES, `${JSON.stringify(note)}\n`);
  return first;
}

/** These say again what holds at the moment: the lease of a claim, a receipt without the answer. */
const RENEWED: readonly string[] = ['tasks.claim', 'tasks.claimNext', 'models.chat', 'router.call'];

function isAgain(id: string, first: Answer, second: Answer): boolean {
  if (second.status !== first.status) return false;
  const { repeated, ...rest } = second.body;
  const { repeated: marked, ...was } = first.body;
  if (marked !== undefined && repeated !== true) return false;
  return RENEWED.includes(id) || isDeepStrictEqual(rest, was);
}
