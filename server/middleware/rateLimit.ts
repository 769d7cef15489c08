import { refuse } from '../errors.ts';
import { addressPartition, tighter, type Limits, type PolicyName, type RateNote } from '../limits.ts';
import type { HubContext, Next } from './state.ts';

/**
 * Counts unsigned requests against their address at the door. A request that carries a signature is
 * counted after it verified, against the account; when it does not verify, against the address.
 */
export function rateLimit(limits: Limits) {
  return async (ctx: HubContext, next: Next): Promise<void> => {
    const address = addressPartition(ctx.ip);
    const signed = ctx.req.headers['signature-input'] !== undefined;
    const policy = signed ? 'unverified' : 'anon';
    ctx.state.rate = signed ? limits.look(policy, address) : limits.take(policy, address);
    try {
      if (ctx.state.rate.retryAfterSeconds !== undefined) tooMany(ctx.state.rate);
      await next();
    } finally {
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
