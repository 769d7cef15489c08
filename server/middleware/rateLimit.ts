import { Readable } from 'node:stream';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { AddressAllowances } from '../../workflows/kernel/addressAllowances.ts';
import { tighter, type Limits, type RateNote } from '../http/limits.ts';
import type { PolicyName } from '../../workflows/kernel/policies.ts';
import { isCompatPath } from './compatError.ts';
import type { Answer, Exchange, Identified } from './exchange.ts';
import { sendsKey } from './sentKey.ts';

/** Finds the policy of an address. When the database cannot be asked, the narrow one holds. */
export async function recogniseAddress(
  exchange: Exchange,
  introductions: AddressAllowances,
): Promise<void> {
  const { address } = exchange;
  const known = introductions.remembered(address);
  const introduced = known ?? (await introductions.isIntroduced(address).catch(() => false));
  exchange.visitorPolicy = introduced ? 'introduced' : 'anon';
}

/**
 * Counts every request once: an unsigned one on its address, at the door; a signed one on its
 * account once it verified, else on its address, since a header alone is no way around the limit.
 */
export function countAtDoor(exchange: Exchange, limits: Limits): void {
  const { address, request, visitorPolicy } = exchange;
  if (isFree(exchange)) {
    const { limit, remaining, policy } = limits.look(visitorPolicy, address);
    exchange.rate = { limit, remaining, policy };
    return;
  }
  const signed =
    request.headers['signature-input'] !== undefined ||
    (isCompatPath(exchange.rawPath) && sendsKey(request.headers));
  const isApart = signed || isHandshake(exchange);
  if (!isApart) exchange.countedBy = [visitorPolicy, address];
  exchange.rate = isApart
    ? limits.look('unverified', address)
    : limits.take(visitorPolicy, address);
  if (exchange.rate.retryAfterSeconds !== undefined) tooMany(exchange.rate);
  if (!signed) return;
  const refusals = limits.look('refused', address);
  if (refusals.retryAfterSeconds !== undefined) {
    exchange.rate = refusals;
    tooMany(refusals);
  }
}

/**
 * Refusals of a limit link to the pages of errors, and every open page asks for the state of the hub,
 * which costs less than a refusal. Both are served above the limit too, and free.
 */
function isFree({ method, rawPath }: Exchange): boolean {
  return (method === 'GET' || method === 'HEAD') && FREE.test(rawPath);
}
const FREE = /^\/(?:healthz|errors(?:\/[a-z0-9-]+)?)$/;

/** A handshake has its own policy, so that an address over its narrow allowance can widen it. */
function isHandshake({ method, rawPath }: Exchange): boolean {
  return method === 'POST' && rawPath === '/api/v1/handshake';
}

/** Counts a caller on its account, a visitor on its address, and both on the operation's policy. */
export function countCaller({ exchange, spec, identity }: Identified, limits: Limits): void {
  if (isFree(exchange)) return;
  const { address, visitorPolicy, reader } = exchange;
  const account = identity.kind === 'visitor' ? (reader ?? address) : identity.account;
  const isVisitor = identity.kind === 'visitor' && reader === undefined;
  const isCounted = exchange.countedBy !== undefined;
  const policy = spec.limit === 'serve' ? 'serve' : 'signed';
  exchange.countedBy ??= isVisitor ? [visitorPolicy, address] : [policy, account];
  if (!isVisitor && spec.limit !== 'serve') {
    takeShared(exchange, limits, 'crowd');
    takeUnit(exchange, limits, 'signed', account);
  }
  if (isVisitor && !isCounted && spec.limit !== 'handshake') {
    takeUnit(exchange, limits, visitorPolicy, address);
  }
  if (spec.limit !== undefined) {
    const isOwn = spec.limit === 'search' && spec.method === 'GET' && !isVisitor;
    const own = isOwn ? 'searches' : spec.limit;
    takeUnit(exchange, limits, own, limits.partitionOf(own) === 'ip' ? address : account);
  }
}

/** The first request of a key; a key costs its maker nothing and the hub a row. */
export function countNewcomer(exchange: Exchange, limits: Limits): void {
  takeShared(exchange, limits, 'newcomers');
}

/** A signed request that was refused, whatever key signed it; looked at when the next one comes. */
export function countRefusal(exchange: Exchange, { status }: Answer, limits: Limits): void {
  const isSigned = exchange.request.headers['signature-input'] !== undefined;
  if (isSigned && status >= 400 && status !== 429) limits.take('refused', exchange.address);
}

/** A signed request that ended before its signature verified. */
export function countUncounted(exchange: Exchange, limits: Limits): void {
  if (exchange.countedBy === undefined && !isFree(exchange)) {
    countUnverified(exchange, limits);
  }
}

export function countUnverified(exchange: Exchange, limits: Limits): void {
  exchange.rate = tighter(exchange.rate, limits.take('unverified', exchange.address));
}

/** Bytes of an answer that one unit covers. */
const UNIT_BYTES = 65_536;

/** A long answer costs one unit more for each whole 64 KB, after the fact (pipeline.limits). */
export function countBytes(exchange: Exchange, { body }: Answer, limits: Limits): void {
  if (exchange.countedBy === undefined || body === undefined || body instanceof Readable) return;
  const units = Math.floor(body.length / UNIT_BYTES);
  if (units === 0) return;
  exchange.rate = tighter(exchange.rate, limits.spend(...exchange.countedBy, units));
}

/** Takes one unit of what an address shares; answers show it only when it is used up. */
function takeShared(exchange: Exchange, limits: Limits, policy: 'crowd' | 'newcomers'): void {
  const note = limits.take(policy, exchange.address);
  if (note.retryAfterSeconds === undefined) return;
  exchange.rate = note;
  tooMany(note);
}

/** Takes one unit and keeps the tightest note for the headers. */
function takeUnit(exchange: Exchange, limits: Limits, policy: PolicyName, partition: string): void {
  const note = limits.take(policy, partition);
  if (note.retryAfterSeconds !== undefined) {
    exchange.rate = note;
    tooMany(note);
  }
  exchange.rate = tighter(exchange.rate, note);
}

/** Refuses an address that guessed wrong too often, whatever it sends now. */
export function mustMayGuess({ address }: Exchange, limits: Limits): void {
  const note = limits.look('admin', address);
  if (note.retryAfterSeconds !== undefined) tooMany(note);
}

function tooMany(note: RateNote): never {
  const wait = note.retryAfterSeconds ?? 1;
  const error = `Over the limit ${note.policy}; wait ${wait} s.`;
  const headers = { 'retry-after': String(wait) };
  const name = /^"([a-z]+)"/.exec(note.policy)?.[1] ?? '';
  refuse('rate-limited', { error, hint: hintOf(name), retryAfterSeconds: wait }, headers);
}

/** Returns the remedy against this very policy; a handshake widens that of unsigned reads alone. */
function hintOf(name: string): string {
  const wait = 'Wait `retryAfterSeconds` (also in the `retry-after` header), then send this again.';
  const signed = 'a signed call counts against its account instead.';
  if (name === 'search' || name === 'introduced') return `${wait} Or sign it: ${signed}`;
  if (name !== 'anon') return wait;
  return `${wait} \`POST /api/v1/handshake\` raises this allowance of your address four times; ${signed}`;
}
