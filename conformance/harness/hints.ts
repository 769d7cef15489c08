import { deref, operationOf } from './contract.ts';

/** The calls that a hint names, held against the document. */
export interface HintedCall {
  readonly method: string;
  readonly path: string;
  /** The JSON that stands behind the path. */
  readonly body: string | undefined;
}

const CALL = /\b(GET|POST) (\/[^\s`'",;)]*[^\s`'",;).:])(?: (\{[^`]*\}))?/g;

export function callsOf(hint: string): readonly HintedCall[] {
  return [...hint.matchAll(CALL)].map(([, method = '', path = '', body]) => ({
    method,
    path,
    body,
  }));
}

/** Calls of a refusal's hint that lead nowhere: no such operation, or a query name it lacks. */
export function deadEnds({
  status,
  body,
}: {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}): readonly string[] {
  const { hint, code } = body;
  if (status < 400 || typeof hint !== 'string') return [];
  return callsOf(hint).flatMap(({ method, path }) => {
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
}
