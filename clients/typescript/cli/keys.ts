import { join } from 'node:path';
import { base58 } from '@scure/base';
import { bindKey, unwrap, type components, type Hub } from '../index.ts';
import { keys as keyFiles } from '../node.ts';
import {
  isSet,
  runVerb,
  textOf,
  UsageError,
  wordsOf,
  type Call,
  type Command,
  type ExitCode,
  type Verb,
} from './command.ts';
import { jsonFile } from './input.ts';
import { atomic, usdc } from './money.ts';
import { openSession, ownerOf } from './session.ts';
import { facts, show, table } from './show.ts';
import { defined } from '../../../domain/defined.ts';

type Schemas = components['schemas'];
type Policy = Schemas['KeyPolicy'];

const VERBS: Readonly<Record<string, Verb>> = {
  list,
  mint,
  limit,
  unlimit,
  revoke,
  mandate,
  import: importMandate,
  approvals,
  approve: (call) => decide(call, 'approved'),
  reject: (call) => decide(call, 'rejected'),
};

const AMOUNTS = [
  ['per-call', 'perCall'],
  ['per-hour', 'perHour'],
  ['per-day', 'perDay'],
  ['per-month', 'perMonth'],
  ['approve-above', 'approveAbove'],
] as const;
const LISTS = [
  ['operation', 'operations'],
  ['counterparty', 'counterparties'],
  ['tool', 'tools'],
  ['model', 'models'],
  ['network', 'networks'],
] as const;

const text = { type: 'string' } as const;
const several = { type: 'string', multiple: true } as const;

export const keys: Command = {
  usage: 'keys [list]|mint|limit|unlimit|revoke|mandate|import|approvals|approve|reject',
  summary: 'gives an agent a key with limits, and ends it',
  options: {
    ...Object.fromEntries(AMOUNTS.map(([option]) => [option, text])),
    ...Object.fromEntries(LISTS.map(([option]) => [option, several])),
    expires: text,
    label: text,
    issuer: text,
    atomic: { type: 'boolean' },
  },
  help: `hub keys                  the keys of the account, with what is used and left of their limits
hub keys mint FILE        makes a key with limits that acts for your account, and keeps it in FILE
hub keys limit KEY        sets the limits of a key, in place of those that it has
hub keys unlimit KEY      lifts them
hub keys revoke KEY       ends a key at once; this cannot be undone
hub keys mandate KEY      prints its limits as a signed mandate of AP2; keep it with --json > FILE
hub keys import KEY FILE  sets limits from such a FILE; of another hub with --issuer, its own key
hub keys approvals        calls of limited keys that wait for you
hub keys approve ID       permits one such call, once; "reject ID" refuses it
Limits of mint and limit, in USDC, or in atomic units with --atomic:
  --per-call AMOUNT --per-hour AMOUNT --per-day AMOUNT --per-month AMOUNT
  --approve-above AMOUNT  a call above it waits for your approval
  --operation NAME        allowed, such as wallet.pay; repeat it for several. Likewise
  --counterparty ACCOUNT --tool NAME --model NAME --network NAME
  --expires TIME          such as 2026-12-31T00:00:00Z
  --label TEXT            a name for the key, for your own reading
`,
  run: (call) => runVerb('keys', VERBS, call, 'list'),
};

function policyOf(call: Call): Policy {
  const policy: Policy = {};
  for (const [option, name] of AMOUNTS) {
    const given = textOf(call, option);
    if (given !== undefined) policy[name] = atomic(given, isSet(call, 'atomic'));
  }
  for (const [option, name] of LISTS) {
    const given = call.values[option];
    if (Array.isArray(given)) policy[name] = given.map(String);
  }
  const expiresAt = textOf(call, 'expires');
  if (expiresAt !== undefined) policy.expiresAt = moment(expiresAt);
  if (Object.keys(policy).length === 0) {
    throw new UsageError('it lacks a limit, such as --per-day 1');
  }
  return policy;
}

function moment(text: string): string {
  const at = new Date(text);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  const isTime = !Number.isNaN(at.getTime());
  // Date rolls 30 February over into March.
  if (!isTime || (day !== undefined && !new Date(day).toISOString().startsWith(day))) {
    throw new UsageError(`"${text}" is no time, such as 2026-12-31`);
  }
  return at.toISOString();
}

async function list(call: Call): Promise<ExitCode> {
  wordsOf(call);
  const { hub } = await openSession(call);
  const params = { path: { owner: await ownerOf(hub) } };
  const answer = unwrap(await hub.GET('/api/v1/wallet/{owner}/keys', { params }));
  const rows = answer.keys.map((key) => [
    key.publicKey,
    key.label,
    key.revokedAt === undefined ? key.state : 'revoked',
    limitsText(key.spending),
  ]);
  show(call, answer, () => table(call.io, ['key', 'label', 'state', 'limits'], rows));
  return 0;
}

function limitsText(spending: Schemas['KeyLimits'] | undefined): string {
  if (spending === undefined) return 'none';
  const limits = spending.limits.map(
    ({ window, limit, left }) => `${usdc(left)} of ${usdc(limit)} left per ${window}`,
  );
  return limits.length === 0 ? 'a policy' : limits.join(', ');
}

/** The policy is set before the key joins, so that it never acts without one. */
async function mint(call: Call): Promise<ExitCode> {
  const [file = ''] = wordsOf(call, 'FILE');
  const policy = policyOf(call);
  const { hub, home } = await openSession(call);
  const owner = await ownerOf(hub);
  const path = file.includes('/') ? file : join(home.folder, file);
  const key = await keyFiles.loadOrGenerate(path);
  await setPolicy(hub, { owner, keyId: key.keyId }, policy);
  const label = textOf(call, 'label');
  const bound = await bindKey(hub, key, label === undefined ? {} : { label });
  show(call, { ...bound, file: path }, () =>
    facts(call.io, [
      ['key', bound.publicKey],
      ['acts for', bound.owner],
      ['kept in', `${path} (keep it secret)`],
      ['use it', `hub me --key ${path}`],
    ]),
  );
  return 0;
}

interface KeyPath {
  readonly owner: string;
  readonly keyId: string;
}

async function setPolicy(hub: Hub, path: KeyPath, body: Policy): Promise<Schemas['KeyState']> {
  const route = '/api/v1/wallet/{owner}/keys/{keyId}/policy';
  return unwrap(await hub.POST(route, { params: { path }, body }));
}

async function limit(call: Call): Promise<ExitCode> {
  const policy = policyOf(call);
  return change(call, (hub, path) => setPolicy(hub, path, policy));
}

function unlimit(call: Call): Promise<ExitCode> {
  return change(call, async (hub, path) => {
    const route = '/api/v1/wallet/{owner}/keys/{keyId}/policy';
    return unwrap(await hub.POST(route, { params: { path }, body: { lifted: true } }));
  });
}

function revoke(call: Call): Promise<ExitCode> {
  return change(call, async (hub, path) => {
    const route = '/api/v1/wallet/{owner}/keys/{keyId}/revoke';
    return unwrap(await hub.POST(route, { params: { path } }));
  });
}

async function mandate(call: Call): Promise<ExitCode> {
  const [name = ''] = wordsOf(call, 'KEY');
  const { hub } = await openSession(call);
  const path = { owner: await ownerOf(hub), keyId: name.replace(/^key:/, '') };
  const route = '/api/v1/wallet/{owner}/keys/{keyId}/mandate';
  const answer = unwrap(await hub.GET(route, { params: { path } }));
  show(call, answer, () =>
    facts(call.io, [
      ['key', answer.keyId],
      ['signed by', `${answer.issuerKey} of ${answer.issuer}`],
      ['until', answer.expiresAt ?? 'the key is revoked'],
      ['mandate', answer.mandate],
    ]),
  );
  return 0;
}

/** The key of the issuer is asked for and not read from the file, because the file is untrusted. */
async function importMandate(call: Call): Promise<ExitCode> {
  const [keyId = '', file = ''] = wordsOf(call, 'KEY', 'FILE');
  const given = await jsonFile(call.io, file);
  const text = (given as { readonly mandate?: unknown } | null)?.mandate;
  if (typeof text !== 'string') throw new UsageError(`${file} has no "mandate"`);
  const issuer = textOf(call, 'issuer');
  const issuerKey = issuer === undefined ? undefined : jwkOf(issuer);
  const { hub } = await openSession(call);
  const params = { path: { owner: await ownerOf(hub), keyId } };
  const body = { mandate: text, ...defined({ issuerKey }) };
  const path = '/api/v1/wallet/{owner}/keys/{keyId}/policy';
  showKey(call, unwrap(await hub.POST(path, { params, body })));
  return 0;
}

function jwkOf(keyId: string): { kty: 'OKP'; crv: 'Ed25519'; x: string } {
  try {
    const x = Buffer.from(base58.decode(keyId)).toString('base64url');
    return { kty: 'OKP', crv: 'Ed25519', x };
  } catch {
    throw new UsageError(`"${keyId}" is no key, such as those at /keys of a hub`);
  }
}

async function change(
  call: Call,
  work: (hub: Hub, path: KeyPath) => Promise<Schemas['KeyState']>,
): Promise<ExitCode> {
  const [name = ''] = wordsOf(call, 'KEY');
  const { hub } = await openSession(call);
  const keyId = name.replace(/^key:/, '');
  showKey(call, await work(hub, { owner: await ownerOf(hub), keyId }));
  return 0;
}

function showKey(call: Call, state: Schemas['KeyState']): void {
  show(call, state, () =>
    facts(call.io, [
      ['key', state.keyId],
      ['limits', limitsText(state.spending)],
      ['revoked', state.revokedAt],
    ]),
  );
}

async function approvals(call: Call): Promise<ExitCode> {
  wordsOf(call);
  const { hub } = await openSession(call);
  const params = { path: { owner: await ownerOf(hub) } };
  const answer = unwrap(await hub.GET('/api/v1/wallet/{owner}/approvals', { params }));
  const rows = answer.approvals.map(({ id, state, operation, amount, keyId }) => [
    id,
    state,
    operation,
    usdc(amount),
    keyId,
  ]);
  show(call, answer, () => table(call.io, ['id', 'state', 'call', 'amount', 'key'], rows));
  return 0;
}

async function decide(call: Call, decision: 'approved' | 'rejected'): Promise<ExitCode> {
  const [id = ''] = wordsOf(call, 'ID');
  const { hub } = await openSession(call);
  const params = { path: { owner: await ownerOf(hub), id } };
  const answer = unwrap(
    await hub.POST('/api/v1/wallet/{owner}/approvals/{id}', { params, body: { decision } }),
  );
  show(call, answer, () =>
    facts(call.io, [
      ['call', `${answer.operation} of ${usdc(answer.amount)}`],
      ['state', answer.state],
      ['until', answer.expiresAt],
    ]),
  );
  return 0;
}
