import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { need } from '../db/declared/table.ts';
import {
  IDEMPOTENCY,
  once,
  onceDeclared,
  type OnceKey,
  type OnceOutcome,
} from '../db/idempotency.ts';
import { nonceUsed } from '../db/nonces.ts';
import type { Store, Writer } from '../db/store.ts';
import type { Account } from '../domain/account.ts';
import { sha256Hex } from '../domain/digest.ts';
import { canonical } from '../domain/json.ts';
import type { OnceOperation } from '../generated/operations.ts';
import { admissionNeeds, admit } from './hub/admission.ts';
import { mustStay, settleSigner } from './hub/keyMoved.ts';
import { openNotifier } from './hub/notifier.ts';
import type { Chains } from './hub/chain/chains.ts';
import type { Checks } from './hub/checks/checks.ts';
import type { Settings } from './hub/settings.ts';
import { refuse } from './hub/errors.ts';
import type { ActingCall, Caller, JsonAnswer } from './hub/call.ts';
import type { Hub } from './hub/hub.ts';
import type { Clock } from './hub/clock.ts';
import { openAddressAllowances } from './hub/addressAllowances.ts';
import { openIds } from './hub/ids.ts';
import { openNonces } from './nonces.ts';
import type { Identities } from './identity.ts';
import type { ModelDesk } from './hub/models/desk.ts';
import type { FileStore } from './hub/files/fileStore.ts';
import type { Keys } from './hub/keys/keys.ts';
import type { Outbound } from './hub/outbound/fetcher.ts';
import { openAgentClient } from './hub/outbound/agentClient.ts';
import { openResponseCache } from './hub/responseCache.ts';
import type { Vectors } from './hub/vectors/vectors.ts';

export interface HubParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly log: Logger;
  readonly checks: Checks;
  readonly clock: Clock;
  readonly identities: Identities;
  readonly keys: Keys;
  readonly outbound: Outbound;
  readonly vectors: Vectors;
  readonly files: FileStore;
  readonly models: ModelDesk;
  readonly chains: Chains;
}

/** Joins the parts into the hub that handlers and jobs are given. */
export function createHub(parts: HubParts): Hub {
  const { store, settings, log, checks, clock, identities, keys, outbound } = parts;
  const { vectors, files, models, chains } = parts;
  const ids = openIds(clock);
  const nonces = openNonces(store, clock);
  return {
    store,
    settings,
    log,
    checks,
    vectors,
    files,
    models,
    chains,
    clock,
    keys,
    outbound: outbound,
    agents: openAgentClient(outbound, clock),
    allowances: openAddressAllowances(store, clock),
    responses: openResponseCache(store, clock),
    ids,
    random: (bytes) => randomBytes(bytes),
    notifier: openNotifier(store),
    callers: {
      inspect: (request) => identities.inspect(request),
      boundAccount: (keyId) => identities.boundAccount(keyId),
      settle: (tx, account) => identities.settle(tx, account),
      settling: (account) => identities.settling(account),
      wasNonceUsed: (keyId, nonce) => store.read((db) => nonceUsed(db, keyId, nonce)),
      consumeNonce: (keyId, nonce) => nonces.consume({ keyId, nonce }),
    },
    act: (call, work) => store.write((tx) => inName(tx, identities, call.caller, work)),
    async once(call, work) {
      const key = onceKey(call);
      const act = (tx: Writer) => inName(tx, identities, call.caller, work);
      if (key === undefined) return answer(await store.write(act), false);
      return answerOf(key, await store.write((tx) => once(tx, key, clock.now(), () => act(tx))));
    },
    async onceDeclared(call, unit) {
      const key = onceKey(call);
      const caller: Caller = call.caller;
      const signer = caller.kind === 'signer' ? caller : undefined;
      const settling = signer && identities.settling(signer.account);
      const once = key === undefined ? [] : [need(IDEMPOTENCY, key)];
      const outcome = await store.decide<OnceOutcome<unknown>>({
        needs: [
          ...[admissionNeeds(signer?.admission), once, settling?.needs ?? []].flat(),
          ...unit.needs,
        ],
        admit: (db) => admit(db, signer?.admission, clock.now()),
        decide(db) {
          const work = (): unknown => {
            mustStay(signer, settling?.settle(db));
            return unit.decide(db);
          };
          if (key === undefined) return { result: work(), repeated: false };
          return onceDeclared(db, key, clock.now(), work);
        },
      });
      return answerOf(key, outcome);
    },
  };
}

/** What is kept in the name of a signer settles its key where it acted (choices wallet.binding). */
async function inName<T>(
  tx: Writer,
  identities: Identities,
  caller: Caller,
  work: (tx: Writer) => Promise<T>,
): Promise<T> {
  if (caller.kind === 'signer') await settleSigner(identities, tx, caller);
  return work(tx);
}

function answerOf<Op extends OnceOperation>(
  key: OnceKey | undefined,
  outcome: OnceOutcome<unknown>,
): JsonAnswer<Op> {
  if ('mismatch' in outcome) {
    return refuse('idempotency-mismatch', {
      error: `The idempotencyKey ${JSON.stringify(key?.key)} was used before with another request.`,
      field: 'body.idempotencyKey',
    });
  }
  return answer(outcome.result, outcome.repeated);
}

function answer<Op extends OnceOperation>(result: unknown, repeated: boolean): JsonAnswer<Op> {
  return { ...(result as object), repeated } as JsonAnswer<Op>;
}

/** Scope, key and digest of a once-only call; undefined when the caller gave no key. */
function onceKey<Op extends OnceOperation>(call: ActingCall<Op>): OnceKey | undefined {
  const wire = call.request.wireBody as Readonly<Record<string, unknown>> | undefined;
  const key = wire?.['idempotencyKey'];
  if (typeof key !== 'string') return undefined;
  const { idempotencyKey: _, ...said } = wire ?? {};
  return {
    account: scopeOf(call),
    operation: call.operation,
    key,
    digest: sha256Hex(canonical({ path: call.path, body: said })),
  };
}

/** The account whose money moves: the caller's, or the one an unsigned call names in its path. */
function scopeOf<Op extends OnceOperation>(call: ActingCall<Op>): Account {
  const caller: { readonly kind: string; readonly account?: Account } = call.caller;
  const named = (call.path as { readonly owner?: Account }).owner;
  const account = caller.account ?? named;
  if (account === undefined) throw new Error(`${call.operation} is once-only and names no account`);
  return account;
}
