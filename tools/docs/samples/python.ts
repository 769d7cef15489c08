import { jsonBody, type Document } from '../../generate/document.ts';
import {
  called,
  KEYWORDS,
  literal,
  methodOf,
  modelOf,
  snake,
} from '../../../clients/web/contract/pythonWords.ts';
import type { SampleCall, Values } from './call.ts';

export const SETUP = `from agent_exchange import FileKeys, Hub, Key, models

key = Key.load_or_generate("agent.key")
hub = Hub("http://127.0.0.1:4020", key, keep_keys=FileKeys("agent.pending"))
`;

/** The call with the generated method of the Python client, named as its `codegen.py` names it. */
export function python(document: Document, call: SampleCall): string {
  const { operation, values } = call;
  const body = bodyOf(document, call, modelOf(operation.operationId));
  const given = Object.entries({ ...values.path, ...values.query }).map(
    ([name, value]) => `${snake(name)}=${literal(value)}`,
  );
  const words = [...(body === undefined ? [] : [body]), ...given];
  return `answer = ${called(methodOf(operation.operationId), words)}\n`;
}

function bodyOf(document: Document, call: SampleCall, name: string): string | undefined {
  const { operation, values, hasBody } = call;
  if (!hasBody) return undefined;
  const schema = jsonBody(document, operation);
  // A body of which the contract says nothing more is a dict.
  if (!isShaped(schema)) return literal(values.body);
  // The client fills in the rest: the account and the idempotency key.
  if (Object.keys(values.body).length === 0) return undefined;
  // A choice of several forms has no fields of its own.
  return isFlat(values.body) && schema?.properties !== undefined
    ? called(`models.${name}`, namedWords(values.body))
    : `models.${name}.model_validate(${literal(values.body)})`;
}

function isShaped(schema: object | undefined): boolean {
  return ['properties', 'allOf', 'oneOf', 'anyOf', 'enum'].some((name) => name in (schema ?? {}));
}

/** Whether each value is one that a keyword argument takes as it is. */
function isFlat(values: Values): boolean {
  return Object.entries(values).every(
    ([name, value]) => !KEYWORDS.has(name) && (value === null || typeof value !== 'object'),
  );
}

function namedWords(values: Values): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${literal(value)}`);
}
