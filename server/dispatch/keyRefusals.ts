import { need } from '../../db/batch/need.ts';
import { readOnce } from '../../db/idempotency.ts';
import type { Reader, Store } from '../../db/store.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { REJECTED_CALL } from '../../db/ledger/judgeTaking.ts';
import { askApproval, type Approval } from '../../db/wallet/approvals.ts';
import { KEY_POLICIES } from '../../db/wallet/policies.ts';
import { parseAccount, type Account, type KeyId } from '../../domain/account.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { defined } from '../../domain/defined.ts';
import { canonical } from '../../domain/json.ts';
import type { ErrorCode } from '../../generated/errors.ts';
import { windowStart } from '../../domain/wallet/policy.ts';
import type { Values } from './decode.ts';
import type { RequestFacts } from '../../workflows/kernel/call.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import type { Identity, WireInput } from '../http/wire.ts';
import type { Clock, Ids } from '../../workflows/kernel/clock.ts';
import { refuseSpending, rulingOf, type Ruling } from '../../workflows/kernel/keyRuling.ts';

/** A signed call, as an approval shows it and permits it. */
export interface SignedRequest {
  readonly operation: string;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Digest of a file that came beside the body. */
  readonly file?: string | undefined;
}

export function signedRequest(
  { id: operation }: OperationSpec,
  input: WireInput,
  { upload }: RequestFacts,
): SignedRequest {
  const { path, query } = input;
  // A key of the header, such as the id of a message, is another one when the call is sent again.
  const body = 'given' in input ? input.given : input.body;
  return { operation, path, query, body, ...(upload && { file: upload.sha256 }) };
}

/** The call as a policy judges it: what its money is spent on, and who is paid for its work. */
export function rulingFor(
  spec: OperationSpec,
  identity: Identity,
  body: Values,
): Ruling | undefined {
  if (identity.kind !== 'signer') return undefined;
  const named = (name: string): string | undefined => {
    const value = body[name];
    return typeof value === 'string' ? value : undefined;
  };
  const payee = parseAccount(named('payee') ?? '');
  return rulingOf(identity.account, {
    operation: spec.id,
    isRead: spec.method === 'GET',
    ownerKey: spec.ownerKey,
    ...(spec.id === 'router.call' && { tool: named('operation') }),
    ...(spec.id === 'models.chat' && { model: named('model') }),
    ...(payee !== undefined && payee !== identity.account && { payee }),
  });
}

/** Bytes of a call that may wait for an approval: as many as its owner can read. */
const REQUEST_BYTES_MAX = 16_384;

/** The text of a call; undefined when it is too long to be stored. */
function textOf({ path, query, body, file }: SignedRequest): string | undefined {
  if (JSON.stringify(body ?? null).length > REQUEST_BYTES_MAX) return undefined;
  const text = canonical({
    path: defined(path),
    query: defined(query),
    ...defined({ body, file }),
  });
  return Buffer.byteLength(text) > REQUEST_BYTES_MAX ? undefined : text;
}

/** Names the very call: another amount, receiver or idempotency key is another call. */
export function digestOf(request: SignedRequest): string {
  const text = textOf(request);
  return text === undefined ? '' : sha256Hex(`${request.operation} ${text}`);
}

interface KeyOfAccount {
  readonly keyId: KeyId;
  readonly account: Account;
}

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Stores calls that wait for an approval, and an event an hour for each key with refused calls. */
export async function noteKeyRefusal(
  hub: Parts,
  thrown: unknown,
  caller: KeyOfAccount,
  request: SignedRequest,
): Promise<unknown> {
  if (!(thrown instanceof HubError)) return thrown;
  if (thrown.code === 'approval-needed') {
    return pending(hub, thrown, caller, request).catch((refused: unknown) => refused);
  }
  if (NOTED.includes(thrown.code)) await refused(hub, thrown.code, caller);
  return thrown;
}

const NOTED: readonly ErrorCode[] = ['policy-limit', 'policy-forbids', 'key-revoked'];

/** Returns the refusal with the id of the pending action. */
async function pending(
  { store, clock, ids }: Parts,
  thrown: HubError,
  { keyId, account }: KeyOfAccount,
  request: SignedRequest,
): Promise<HubError> {
  const text = textOf(request);
  const { amount, network, seen } = thrown.asks ?? {};
  if (amount === undefined || network === undefined) throw new Error('an approval has an amount');
  if (text === undefined) {
    const most = `a call of at most ${REQUEST_BYTES_MAX} bytes can wait for one`;
    return refuseSpending({ why: 'forbids', text: `This needs an approval, and ${most}.` });
  }
  const at = clock.now();
  const asked = await store.write(async (tx) => {
    const { operation } = request;
    const of = { account, keyId, digest: digestOf(request), id: ids.uuid(), operation };
    // A twin of the call may have used its approval up meanwhile: then its result is stored.
    const decided = (await wasDone(tx, account, request)) ? {} : defined({ seen });
    const stored = await askApproval(tx, { ...of, request: text, amount, network, at, ...decided });
    if (stored?.isNew === true) {
      const event = {
        at,
        kind: 'approval.pending' as const,
        subjectId: keyId,
        ref: stored.approval.id,
      };
      noteEvent(tx, [account], { ...event, actor: account });
    }
    return stored;
  });
  if (asked === undefined) {
    const text =
      'As many calls of this key wait for an approval as may; let the owner decide them.';
    return refuseSpending({ why: 'forbids', text });
  }
  const { approval } = asked;
  if (approval.state === 'rejected') return refuseSpending({ why: 'forbids', text: REJECTED_CALL });
  const hint = hintOf(approval);
  const detail = { ...thrown.detail, hint, approvalId: approval.id };
  return new HubError('approval-needed', detail, thrown.headers);
}

async function wasDone(
  db: Reader,
  account: Account,
  { operation, body }: SignedRequest,
): Promise<boolean> {
  const key = (body as { readonly idempotencyKey?: unknown } | undefined)?.idempotencyKey;
  if (typeof key !== 'string') return false;
  return (await readOnce(db, { account, operation, key, digest: '' })) !== undefined;
}

function hintOf({ account, id, state }: Approval): string {
  const again = 'send the very same call again, with a fresh nonce.';
  if (state !== 'open') return `The owner approved this very call meanwhile: ${again}`;
  const path = `/api/v1/wallet/${account}/approvals/${id}`;
  return `Wait for the event \`approval.approved\` of \`GET /api/v1/me/events\`, then ${again} A key without a policy approves by \`POST ${path} {"decision": "approved"}\`..`;
}

async function refused(
  { store, clock }: Parts,
  state: string,
  { keyId, account }: KeyOfAccount,
): Promise<void> {
  const key = { keyId, account };
  await store.decide({
    needs: [need(KEY_POLICIES, key)],
    decide(db) {
      const at = clock.now();
      const rule = db.find(KEY_POLICIES, key);
      if (rule === undefined) return;
      const { refusedAt } = rule;
      if (refusedAt !== undefined && windowStart('hour', refusedAt) === windowStart('hour', at)) {
        return;
      }
      db.put(KEY_POLICIES, key, { ...rule, refusedAt: at, revision: rule.revision + 1 });
      noteEvent(db, [account], { at, kind: 'policy.refused', subjectId: keyId, state });
    },
  });
}
