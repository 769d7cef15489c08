import { isHostedAddress } from '../../domain/hosted/agent.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

export interface Address {
  readonly url: string;
  readonly origin: string;
  readonly host: string;
}

/** Refuses what the hub would never call, before anything is stored (threats.ssrf). */
export function addressOf(hub: Hub, url: string, field: string): Address {
  const verdict = hub.outbound.judge(url);
  if (!verdict.ok) return refuse('endpoint-refused', { error: verdict.message, field });
  const { target } = verdict;
  if (isHostedAddress(hub.settings.baseUrl, target.url)) {
    const error = 'This is a hosted agent of this hub, which looks at it by itself.';
    const hint = `GET /api/v1/verify?url=${encodeURIComponent(target.url)} shows what it saw.`;
    return refuse('endpoint-refused', { error, hint, field });
  }
  return { url: target.url, origin: target.origin, host: target.authority };
}
