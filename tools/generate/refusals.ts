import { existsSync, readFileSync } from 'node:fs';
import {
  eachOperation,
  resolve,
  type Document,
  type ErrorCodeEntry,
  type Response,
} from './document.ts';

/**
 * Adds the refusals of `npm run refusals` as examples of the answers that have their status. A
 * refusal that several operations give in the same words stands in the document once.
 */
export function addRefusalExamples(document: Document, codes: readonly ErrorCodeEntry[]): void {
  const entries = new Map(codes.map((entry) => [entry.code, entry]));
  const operations = eachOperation(document).map(({ operation }) => ({
    operation,
    matched: Object.entries(metBy(operation.operationId)),
  }));
  const shared = sharedExamples(operations.flatMap(({ matched }) => matched));
  for (const { operation, matched } of operations) {
    for (const [code, value] of matched) {
      const { status, says: summary } = entries.get(code) ?? { status: 0, says: '' };
      const response = operation.responses[status];
      if (response === undefined) continue;
      const name = shared.get(keyOf(code, value));
      const example =
        name === undefined ? { summary, value } : { $ref: `#/components/examples/${name}` };
      operation.responses[status] = withExample(
        resolve<Response>(document, response),
        code,
        example,
      );
    }
  }
  const examples = [...shared].map(([key, name]) => {
    const [code = '', value = ''] = key.split('\n');
    return [name, { summary: entries.get(code)?.says, value: JSON.parse(value) as unknown }];
  });
  Object.assign(document.components, { examples: Object.fromEntries(examples) as unknown });
  removeUnused(document);
}

/** An answer that every operation now shows with examples of its own is no longer shared. */
function removeUnused({ paths, components }: Document): void {
  const text = JSON.stringify(paths);
  const used = Object.entries(components.responses ?? {}).filter(([name]) =>
    text.includes(`"#/components/responses/${name}"`),
  );
  components.responses = Object.fromEntries(used);
}

type Refusal = Readonly<Record<string, unknown>>;

function metBy(operationId: string): Readonly<Record<string, Refusal>> {
  const file = `spec/examples/refusals/${operationId.replace('.', '/')}.json`;
  if (!existsSync(file)) return {};
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Refusal>>;
}

const keyOf = (code: string, value: Refusal): string => `${code}\n${JSON.stringify(value)}`;

/** A name for each refusal that occurs more than once, by its code and text. */
function sharedExamples(
  matched: readonly (readonly [string, Refusal])[],
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const [code, value] of matched) {
    const key = keyOf(code, value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const often = [...counts].filter(([, count]) => count > 1).map(([key]) => key);
  const codeOf = (key: string): string => key.slice(0, key.indexOf('\n'));
  return new Map(
    often.sort().map((key, place, all) => {
      const earlier = all.slice(0, place).filter((each) => codeOf(each) === codeOf(key)).length;
      return [key, earlier === 0 ? codeOf(key) : `${codeOf(key)}-${earlier + 1}`];
    }),
  );
}

const JSON_TYPE = 'application/json';

function withExample(response: Response, code: string, example: unknown): Response {
  const { [JSON_TYPE]: media, ...others } = response.content ?? {};
  const examples = { ...media?.examples, [code]: example };
  return { ...response, content: { ...others, [JSON_TYPE]: { ...media, examples } } };
}
