import { operationOf, validator, type Json } from './contract.ts';

/** A call that an answer offers in `next`. */
export interface Offer {
  readonly action: string;
  readonly who: string;
  readonly call: { readonly method: string; readonly path: string; readonly body?: Json };
}

/** Every offer that stands anywhere in an answer. */
export function offersIn(value: unknown): readonly Offer[] {
  if (Array.isArray(value)) return value.flatMap(offersIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]): readonly Offer[] =>
    name === 'next' && Array.isArray(member) ? (member as Offer[]) : offersIn(member),
  );
}

const PLACEHOLDER = /<[^>]*>|\{[^}]*\}|%7B|%3C/i;

/** Members of a body that the caller fills in, as the document says of such an offer. */
export function chosenIn({ call: { body = {} } }: Offer): readonly string[] {
  return Object.keys(body).filter((name) => PLACEHOLDER.test(String(body[name])));
}

/**
 * Why the offers of an answer cannot be sent: another operation than they name, a placeholder in the
 * path, or a member of the body that the document does not allow.
 */
export function offerFaults(answer: unknown): readonly string[] {
  return offersIn(answer).flatMap((offer) => {
    const { action, call } = offer;
    const at = `the offer of ${action} at ${call.method} ${call.path}`;
    const operation = operationOf(call.method, call.path.split('?')[0] ?? '');
    if (operation?.operationId !== action) return [`${at} is another operation`];
    if (PLACEHOLDER.test(call.path)) return [`${at} has a placeholder in its path`];
    const faults = bodyFaults(operation.raw, call.body, chosenIn(offer));
    return faults.map((fault) => `${at}: ${fault}`);
  });
}

interface Bodied {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Json }>>;
  };
}

function bodyFaults(raw: Json, body: Json | undefined, chosen: readonly string[]): string[] {
  const schema = (raw as Bodied).requestBody?.content['application/json']?.schema;
  if (schema === undefined || body === undefined) return [];
  const check = validator(schema);
  if (check(body)) return [];
  return (check.errors ?? [])
    .filter(({ instancePath }) => !chosen.includes(instancePath.split('/')[1] ?? ''))
    .map(({ instancePath, message }) => `${instancePath} ${message}`);
}
