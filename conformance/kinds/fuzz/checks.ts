import assert from 'node:assert/strict';
import { exchange, type Answer } from '../../harness/agents.ts';
import { undeclared } from '../../../tools/test/undeclared.ts';
import type { DeclaredOperation } from '../../harness/contract.ts';
import type { Fault } from './broken.ts';
import { curlOf } from './requests.ts';

/** Checks of an answer, named as schemathesis names them; each throws with a line to repeat it. */
export interface Exchange {
  readonly operation: DeclaredOperation;
  readonly request: Request;
  readonly answer: Answer;
}

/** Codes of the edge: a request that the document takes is past every one of them. */
const EDGE_CODES = ['bad-json', 'missing-field', 'unknown-filter', 'bad-path', 'body-too-large'];
const SIGNATURE_CODES = [
  'unsigned',
  'incomplete-coverage',
  'digest-mismatch',
  'stale',
  'unknown-key',
  'wrong-owner',
  'replayed',
];

/** Sends; the answer is the document's, and a refusal's hint names calls that there are. */
export async function send(operation: DeclaredOperation, request: Request): Promise<Exchange> {
  const what = { operation, request, answer: await exchange(request.clone()) };
  // Noted for the suite's end; here it fails with the request beside it.
  const faults = undeclared.splice(0);
  await holds('response_schema_conformance', what, faults.length === 0, faults.join('; '));
  return what;
}

async function holds(check: string, what: Exchange, held: boolean, why: string): Promise<void> {
  if (held) return;
  const { operation, request, answer } = what;
  assert.fail(
    `${check}: ${operation.operationId} ${why}\n${answer.status} ${answer.text.slice(0, 600)}\n` +
      (await curlOf(request)),
  );
}

async function notAServerError(what: Exchange): Promise<void> {
  await holds('not_a_server_error', what, what.answer.status < 500, 'fails');
}

/** A request that the document takes is answered, or refused for a reason the operation lists. */
export async function positiveDataAcceptance(what: Exchange): Promise<void> {
  const { status, body } = what.answer;
  const code = String(body['code']);
  const listed = (what.operation.raw['x-errors'] as readonly string[]).includes(code);
  await notAServerError(what);
  if (status < 400) return;
  await holds('positive_data_acceptance', what, listed, `does not list ${code}`);
  await holds('positive_data_acceptance', what, status !== 429, 'is limited with limits off');
  const atTheEdge = EDGE_CODES.includes(code) || SIGNATURE_CODES.includes(code);
  await holds('positive_data_acceptance', what, !atTheEdge, 'refuses what the document takes');
}

/** One broken field is 400, and the refusal names it. */
export async function negativeDataRejection(what: Exchange, fault: Fault): Promise<void> {
  const { status, body } = what.answer;
  const code = String(body['code']);
  const why = `${fault.field} breaks ${fault.rule}`;
  await holds('negative_data_rejection', what, status === 400, why);
  await holds('negative_data_rejection', what, body['field'] === fault.field, `${why}, not named`);
  const listed = (what.operation.raw['x-errors'] as readonly string[]).includes(code);
  await holds('negative_data_rejection', what, listed, `does not list ${code}`);
}

/** Without a signature that holds, an operation that asks for one answers 401 and says why. */
export async function ignoredAuth(what: Exchange, code: string): Promise<void> {
  const { status, body } = what.answer;
  const refused = status === 401 && body['code'] === code;
  await holds('ignored_auth', what, refused, `is not refused as ${code}`);
}

/** The compatible door refuses in another API's words, which have no codes of ours. */
export async function ignoredKey(what: Exchange): Promise<void> {
  await holds('ignored_auth', what, what.answer.status === 401, 'takes a caller without a key');
}
