import { lockWebhook } from '../../db/webhooks/webhooks.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { refuse } from '../kernel/errors.ts';

/** Locks a webhook of the account, or refuses as if it were not there. */
export async function mustLock(tx: Writer, account: Account, id: string): Promise<Webhook> {
  return (await lockWebhook(tx, account, id)) ?? noWebhook(id);
}

export function noWebhook(id: string, field = 'path.id'): never {
  return refuse('not-found', {
    error: `Your account has no webhook ${id}.`,
    hint: 'GET /api/v1/me/webhooks lists your webhooks.',
    field,
  });
}
