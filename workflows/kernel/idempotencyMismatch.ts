import { refuse } from './errors.ts';

/** Refuses another request under a key that was used (choices ledger.idempotency). */
export function refuseMismatch(key: string): never {
  return refuse('idempotency-mismatch', {
    error: `The idempotency key ${JSON.stringify(key)} was used before with another request.`,
    field: 'body.idempotencyKey',
  });
}
