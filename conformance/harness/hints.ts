import { deref, operationOf } from './contract.ts';

/** The calls that a hint names, held against the document. */
export interface HintedCall {
  readonly method: string;
  readonly path: string;
  /** The JSON that stands behind the path. */
  readonly body: string | undefined;
  /** True of the refused call itself, to be sent again when what the hint says is mended. */
  readonly isAgain: boolean;
}

const CALL = /\b(GET|POST) (\/[^\s`'",;)]*[^\s`'",;).:])(?: (\{[^`]*\}))?(` again\b)?/g;
/** The refused call, in words. */
const AGAIN = /\b(?:send|sent|sign|ask|call|try|stamp)\b[^.]*\bagain\b/i;

export function callsOf(hint: string): readonly HintedCall[] {
  return [...hint.matchAll(CALL)].map(([, method = '', path = '', body, again]) => ({
    method,
    path,
    body,
    isAgain: again !== undefined,
  }));
}

/** Whether a hint says what to send next: a call, or the refused one again. */
export function leadsOn(hint: string): boolean {
  return callsOf(hint).length > 0 || AGAIN.test(hint);
}

/** Words by which a hint sends its reader to a member of the refusal. */
const POINTS_AT = [
  ['`allowed`', 'allowed'],
  ['`retryAfterSeconds`', 'retryAfterSeconds'],
  ['the named place', 'field'],
] as const;

/** Why a hint leads nowhere: it says nothing to send, or names what is not there. */
export function deadEnds({
  status,
  body,
}: {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}): readonly string[] {
  const { hint, code } = body;
  if (status < 400 || typeof hint !== 'string') return [];
  if (!leadsOn(hint)) return [`the hint of ${String(code)} names no call: ${hint}`];
  const missing = POINTS_AT.filter(([words, name]) => hint.includes(words) && !(name in body));
  const absent = missing.map(
    ([, name]) => `the hint of ${String(code)} points at an absent ${name}: ${hint}`,
  );
  const wrong = callsOf(hint).flatMap(({ method, path }) => {
    const [target = '', query = ''] = path.split('?', 2);
    const operation = operationOf(method, target);
    const at = `the hint of ${String(code)} names ${method} ${path}`;
    if (operation === undefined) return [`${at}, which is no operation`];
    const parameters = ((operation.raw['parameters'] ?? []) as readonly unknown[]).map((each) =>
      deref<{ readonly name: string }>(each),
    );
    const known = parameters.map(({ name }) => name);
    return [...new URLSearchParams(query).keys()]
      .filter((name) => !known.includes(name))
      .map((name) => `${at}, which takes no ${name}`);
  });
  return [...absent, ...wrong];
}
