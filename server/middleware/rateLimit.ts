import { refuse } from '../errors.ts';
import { addressPartition, tighter, type Limits, type PolicyName, type RateNote } from '../limits.ts';
import type { HubContext, Next } from './state.ts';

/**
 * Counts every request once. An unsigned one is counted against its address at the door. One that
 * carries a signature is counted against the account once it verified; when it does not, or when it
 * never gets as far, against the address: a header alone buys nobody a way around the limit.
 */
export function rateLimit(limits: Limits) {
  return async (ctx: HubContext, next: Next): Promise<void> => {
    const address = addressPartition(ctx.ip);
    const signed = ctx.req.headers['signature-input'] !== undefined;
    ctx.state.counted = !signed;
    ctx.state.rate = signed ? limits.look('unverified', address) : limits.take('anon', address);
    try {
      if (ctx.state.rate.retryAfterSeconds !== undefined) tooMany(ctx.state.rate);
      await next();
    } finally {
      if (!ctx.state.counted) {
        ctx.state.rate = tighter(ctx.state.rate, limits.take('unverified', address));
      }
      showRate(ctx);
    }
  };
}

/** Takes one unit of a further policy and keeps the tightest note for the headers. */
export function takeUnit(
  ctx: HubContext,
  limits: Limits,
  policy: PolicyName,
  partition: string,
): void {
  const note = limits.take(policy, partition);
  if (note.retryAfterSeconds !== undefined) {
    ctx.state.rate = note;
    tooMany(note);
  }
  ctx.state.rate = tighter(ctx.state.rate, note);
}

function tooMany(note: RateNote): never {
  const wait = note.retryAfterSeconds ?? 1;
  refuse(
    'rate-limited',
    {
      error: `Over the limit ${note.policy}; wait ${wait} s.`,
      retryAfterSeconds: wait,
    },
    { 'retry-after': String(wait) },
  );
}

function showRate(ctx: HubContext): void {
  ctx.set({
    'x-ratelimit-limit': String(ctx.state.rate.limit),
    'x-ratelimit-remaining': String(ctx.state.rate.remaining),
    'x-ratelimit-policy': ctx.state.rate.policy,
  });
}
