import { isUnavailable } from '../../db/unavailable.ts';
import type { Account } from '../../domain/account.ts';
import { isDryRun } from '../../domain/dryRun.ts';
import { operationTable, type OperationId } from '../../generated/operations.ts';
import { brandBody, createReader, type Reader, type Values } from './decode.ts';
import { together } from './faults.ts';
import { refuseApiKey } from '../../workflows/kernel/apiKey.ts';
import { HubError, refuse } from '../../workflows/kernel/errors.ts';
import { rulingOf, type Ruling } from '../../workflows/kernel/keyRuling.ts';
import { KeyMoved } from '../../workflows/kernel/keyMoved.ts';
import {
  type Admission,
  judgeAgain,
  refuseReplayed,
  takeNonce,
} from '../../workflows/kernel/admission.ts';
import { isKeyChecker, type Handlers } from '../../workflows/kernel/handler.ts';
import type { Caller, RequestFacts, Signer } from '../../workflows/kernel/call.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import { mustNotBeModerated } from '../../workflows/kernel/moderation.ts';
import { withoutHidden } from './hidden.ts';
import { withPlaces } from './hintPlaces.ts';
import { digestOf, noteKeyRefusal, rulingFor, signedRequest } from './keyRefusals.ts';
import { preview } from './preview.ts';
import { openRunning, runIn } from './running.ts';
import { keyIn } from './keyHeader.ts';
import { mayBeTried, mustBeFresh, mustBeTriable } from './trying.ts';
import { NO_AGENTS, withMarks, type SandboxAccounts } from './sandboxMarks.ts';
import { answerFault, validate } from './validation.ts';
import type { AnyReply, Identity, WireInput } from '../http/wire.ts';

export interface Dispatcher {
  (
    spec: OperationSpec,
    input: WireInput,
    identity: Identity,
    request: RequestFacts,
  ): Promise<AnyReply>;
}

/** The one way into an operation by any door: schema, owner, nonce last, handler, answer check. */
export function createDispatch(
  handlers: Handlers,
  hub: Hub,
  sandboxAgents: SandboxAccounts = NO_AGENTS,
): Dispatcher {
  const running = openRunning(handlers);
  const read = hub.store.readLagging;
  const lagging: Hub =
    hub.settings.databaseReplica === undefined
      ? hub
      : { ...hub, store: { ...hub.store, read, readOne: read } };
  const readers = new Map(Object.values(operationTable).map((spec) => [spec, readersOf(spec)]));
  const dispatch: Dispatcher = async (spec, input, identity, request) => {
    const reader = readers.get(spec) ?? readersOf(spec);
    const path = reader.path(input.path);
    const [query, header, body] = together(
      () => reader.query(input.query),
      () => reader.header(input.header),
      () => bodyOf(spec, input.body),
    );
    const isTried = mayBeTried(spec) && isDryRun(input.header['prefer']);
    if (isTried) mustBeTriable(input.header);
    const mayAct = moderationOf(hub, spec, path);
    const ruling = rulingFor(spec, identity, asValues(body));
    const admission =
      isTried || ruling === undefined ? undefined : admissionOf(spec, identity, mayAct, ruling);
    const digest = (): string => digestOf(signedRequest(spec, input, request));
    const caller = callerOf(spec, identity, { admission, digest });
    const named = { path, query, body: asValues(body) };
    checkOwner(spec, named, caller);
    mayAct(caller);
    if (isTried) await mustBeFresh(hub, identity, ruling);
    else if (identity.kind === 'signer' && admission === undefined) {
      await takeNonce(hub, identity, ruling ?? rulingOf(identity.account));
    } else if (identity.kind === 'key-holder') {
      await mustBeGood(handlers, hub, spec, identity);
    }
    if (spec.stores === true && !isTried) {
      hub.storage.take(caller, Buffer.byteLength(JSON.stringify(input.body ?? {})));
    }
    const idempotencyKey = ownKey(spec, input, identity);
    if (idempotencyKey !== undefined && !isTried) hub.storage.takeKey(caller);
    const run = (caller: Caller, hub: Hub): Promise<AnyReply> => {
      const given = { operation: spec.id, path, query, header, body, caller };
      return runIn(running, spec, hub, {
        ...given,
        request: factsFor(hub, request),
        idempotencyKey,
      });
    };
    const judgedBy = (hub: Hub): Promise<AnyReply> =>
      run(caller, hub).catch((thrown: unknown) => {
        if (!(thrown instanceof KeyMoved) || caller.kind !== 'signer') throw thrown;
        // A key is re-bound at most once, so one retry is enough.
        const moved = { ...caller, account: thrown.account };
        checkOwner(spec, named, moved);
        mayAct(moved);
        return run(moved, hub);
      });
    if (isTried) {
      const tried = await preview(hub, spec, (inside) => checked(hub, spec, judgedBy(inside)));
      return withoutHidden(hub.moderation, tried, caller);
    }
    const judged = (): Promise<AnyReply> => judgedBy(spec.mayLag === true ? lagging : hub);
    const answer =
      admission === undefined ? await judged() : await admitted(hub, admission, judged);
    if (spec.waits === true && admission === undefined) await judgeAgain(hub, caller, ruling);
    const marked = withMarks(spec.id, answer, sandboxAgents);
    const reply = withoutHidden(hub.moderation, marked, caller);
    if (hub.settings.checkAnswers) checkAnswer(spec, reply);
    return reply;
  };
  return (spec, input, identity, request) =>
    dispatch(spec, input, identity, request).catch(async (thrown: unknown) => {
      const isKept = identity.kind === 'signer' && !isDryRun(input.header['prefer']);
      const signed = signedRequest(spec, input, request);
      const known = isKept ? await noteKeyRefusal(hub, thrown, identity, signed) : thrown;
      throw withPlaces(known, spec, input, identity);
    });
}

/** The key of the header; unsigned calls have no account to keep one for. */
function ownKey(
  { once, body }: OperationSpec,
  { header }: WireInput,
  identity: Identity,
): string | undefined {
  if (once === undefined || body?.keyed === true || identity.kind !== 'signer') return undefined;
  return keyIn(header);
}

function factsFor({ trial }: Hub, request: RequestFacts): RequestFacts {
  if (trial === undefined) return request;
  const { id, wireBody, upload, fileBytesMax } = request;
  return { id, wireBody, upload, fileBytesMax, gone: trial.gone };
}

async function checked(hub: Hub, spec: OperationSpec, reply: Promise<AnyReply>): Promise<AnyReply> {
  const answer = await reply;
  if (hub.settings.checkAnswers) checkAnswer(spec, answer);
  return answer;
}

interface Readers {
  readonly path: Reader;
  readonly query: Reader;
  readonly header: Reader;
}

function readersOf(spec: OperationSpec): Readers {
  return {
    path: createReader(spec, 'path'),
    query: createReader(spec, 'query'),
    header: createReader(spec, 'header'),
  };
}

function bodyOf(spec: OperationSpec, body: unknown): unknown {
  if (spec.body === undefined) return undefined;
  if (body === undefined) {
    if (!spec.body.required) return undefined;
    refuse('missing-field', { error: 'The request needs a JSON body.', field: 'body' });
  }
  validate(spec, 'body', body);
  return brandBody(spec.body, body);
}

/** On a public operation a signature proves nothing that is asked, so it is not looked at. */
function callerOf(
  spec: OperationSpec,
  identity: Identity,
  signed: Pick<Signer, 'admission' | 'digest'>,
): Caller {
  if (spec.auth === 'public') return { kind: 'visitor', ip: identity.ip };
  if (identity.kind !== 'signer') return identity;
  const { ip, account, keyId } = identity;
  return { kind: 'signer', ip, account, keyId, ...signed };
}

function asValues(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {};
}

/** A valid signature is not authority over an account other than the one its key is bound to. */
function checkOwner(
  spec: OperationSpec,
  input: { readonly path: Values; readonly query: Values; readonly body: Values },
  caller: Caller,
): void {
  if (spec.owner === undefined || caller.kind !== 'signer') return;
  const [place, name] = spec.owner;
  const named = input[place][name];
  if (named === undefined || named === caller.account) return;
  if (spec.ownerOr !== undefined && input[spec.ownerOr[0]][spec.ownerOr[1]] === caller.keyId)
    return;
  refuse('wrong-owner', {
    error: `${place}.${name} names ${String(named)}, but the signing key acts for ${caller.account}.`,
    field: `${place}.${name}`,
  });
}

/** A remembered key may be revoked since; where no unit of the operation asks, it is asked here. */
async function mustBeGood(
  handlers: Handlers,
  hub: Hub,
  spec: OperationSpec,
  { digest, isRemembered }: Identity & { readonly kind: 'key-holder' },
): Promise<void> {
  if (!isRemembered || isKeyChecker(handlers[spec.id as OperationId])) return;
  if (!(await hub.callers.isKeyGood(digest))) refuseApiKey();
}

/** The nonce, where a transaction of the operation takes it; that of a read is taken before. */
function admissionOf(
  spec: OperationSpec,
  identity: Identity,
  mayAct: (caller: Identity) => void,
  ruling: Ruling,
): Admission | undefined {
  if (identity.kind !== 'signer' || spec.auth === 'public' || spec.method === 'GET')
    return undefined;
  const { keyId, nonce } = identity;
  const of = { nonce: { keyId, nonce }, waits: spec.waits === true, taken: false };
  return { ...ruling, ...of, mayAct: () => mayAct(identity) };
}

/**
 * Refuses what begins something in the name of a banned account or on a hidden subject (choices
 * operator.moderation). It is asked before the handler and again in each unit of work.
 */
function moderationOf(
  hub: Hub,
  spec: OperationSpec,
  path: Values,
): (caller: { readonly kind: string; readonly account?: Account }) => void {
  if (spec.method === 'GET' || spec.auth === 'public' || spec.whileBanned === true) return () => {};
  const named = Object.values(path);
  return ({ account }) => mustNotBeModerated(hub, account, named);
}

/** Takes the nonce of a request refused early; a replay is refused as such before all else. */
async function admitted(
  hub: Hub,
  admission: Admission,
  run: () => Promise<AnyReply>,
): Promise<AnyReply> {
  let answer: AnyReply;
  try {
    answer = await run();
  } catch (error) {
    // A database that cannot serve, or that did not confirm a commit, is answered as that.
    if (admission.taken || isUnavailable(error)) throw error;
    const isFresh = await hub.callers.consumeNonce(admission.nonce, admission);
    if (!isFresh && error instanceof HubError) refuseReplayed();
    throw error;
  }
  if (!admission.taken) await takeNonce(hub, admission.nonce, admission);
  return answer;
}

function checkAnswer(spec: OperationSpec, reply: AnyReply): void {
  const type = reply.type ?? 'application/json';
  if (!(spec.answers[reply.status]?.includes(type) ?? false)) {
    throw new Error(
      `${spec.id} answered ${reply.status} ${type}, which its contract does not list`,
    );
  }
  if (type !== 'application/json') return;
  const fault = answerFault(spec, reply.status, JSON.parse(JSON.stringify(reply.body)));
  if (fault !== undefined) throw new Error(`answer differs from the contract: ${fault}`);
}
