import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { admitNow } from '../../workflows/kernel/admission.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { addressOf } from '../../workflows/registry/address.ts';
import { dryProbe } from '../../workflows/registry/probeNow.ts';
import { takeFresh } from '../../workflows/registry/freshChecks.ts';
import {
  presentProbe,
  presentSubmission,
  presentSummary,
  receiptPath,
} from './present/submission.ts';
import { submitAddress } from '../../workflows/registry/submission.ts';
import { UNTRUSTED_LISTINGS } from '../untrusted.ts';

type Submission = Schemas['Submission'];

/** Names an address to the crawler; a dry run looks at once and stores nothing. */
export const submit: Handler<'registry.submit'> = async ({ body, caller }, hub) => {
  const { url, kind, dryRun } = body;
  if (dryRun === true) {
    if (caller.kind === 'signer') await admitNow(hub, caller);
    return { status: 200, body: await rehearsal(hub, caller.ip, url, kind) };
  }
  return {
    status: 202,
    body: presentSubmission(hub, await submitAddress(hub, { url, kind, caller })),
  };
};

async function rehearsal(
  hub: Hub,
  ip: string,
  url: string,
  kind: 'a2a' | 'mcp' | undefined,
): Promise<Submission> {
  const address = addressOf(hub, url, 'body.url');
  await takeFresh(hub, ip);
  const hint = { url: address.url, ...defined({ kind }) };
  const { seen, recorded } = await dryProbe(hub, address, hint);
  const { why, fix } = recorded.report;
  const at = iso(seen.at);
  return {
    origin: address.origin,
    state: why === undefined ? 'listed' : 'not-listed',
    dryRun: true,
    crawled: true,
    submissions: 0,
    found: recorded.made.map(({ listing }) => presentSummary(listing)),
    why,
    fix,
    probes: seen.steps.map(presentProbe),
    lastLookAt: at,
    nextLookAt: at,
    backOffSeconds: 0,
    receipt: hub.settings.baseUrl + receiptPath(address.origin),
    ...UNTRUSTED_LISTINGS,
    next: [
      {
        action: 'registry.submit',
        who: 'anyone',
        call: { method: 'POST', path: '/api/v1/agents', body: hint },
      },
    ],
  };
}
