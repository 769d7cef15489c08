import { errorTable } from '../../generated/errors.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { wireRefusal, HubError } from '../../workflows/kernel/errors.ts';
import { withGaps } from '../../workflows/kernel/faultList.ts';
import { snippets } from './content/code.ts';
import { explain } from './content/errors.ts';
import { MISTAKES } from './content/signing/mistakes.ts';
import { signingGuide } from './content/signing/signing.ts';
import { firstSteps } from './content/signing/steps.ts';
import { checkRequest } from './present/requestCheck.ts';

type Quickstart = Schemas['Quickstart'];
type Example = Quickstart['examples'][number];
type Guide = Quickstart['signing'];

const WHAT =
  'An account is an ed25519 key that you make yourself: no signup, no approval, no password. The ' +
  'first request that it signs correctly makes the account. The holder of the private key owns the ' +
  'account, and a lost key cannot be replaced.';

/** How to begin, made for this hub and this moment: the example in it was signed just now. */
export const quickstart: Handler<'discovery.quickstart'> = async (_, hub) => {
  const { baseUrl, faucetEnabled, network } = hub.settings;
  const signing = signingGuide(hub);
  return {
    status: 200,
    body: {
      identity: {
        what: WHAT,
        algorithm: 'ed25519',
        keyId:
          'The base58 (Bitcoin alphabet) of the 32 bytes of your public key: 43 or 44 letters, rarely fewer.',
        account: 'key:<your keyid>; paths take the bare keyid as well.',
        baseUrl,
        network,
        faucet: faucetEnabled,
        hubTime: hub.clock.wall(),
      },
      steps: firstSteps(hub),
      signing,
      examples: [unsigned(hub), explained(hub), await checked(hub, signing)],
      mistakes: MISTAKES,
      code: snippets(baseUrl),
    },
  };
};

/** A signed operation's answer to a request without a signature, less its request id. */
function unsigned(hub: Hub): Example {
  const missing = 'the request has no Signature-Input and no Signature header';
  const call = { method: 'GET', path: '/api/v1/me' } as const;
  const refused = new HubError('unsigned', { error: `wallet.me is signed: ${missing}.` }, {});
  const request = { method: call.method, target: call.path, headers: [], body: Buffer.alloc(0) };
  const refusal = withGaps(refused, request);
  const { requestId: _, ...answer } = wireRefusal(refusal, '', hub.settings.baseUrl).body;
  return {
    title: 'Without a signature',
    what: `Status ${errorTable.unsigned.status}. Every refusal has error, code and hint; the hint names the next call.`,
    signed: false,
    call,
    answer,
  };
}

function explained(hub: Hub): Example {
  return {
    title: 'What a code means',
    what: 'Every code has an address, and every refusal links to its own.',
    signed: false,
    call: { method: 'GET', path: '/errors/stale' },
    answer: { ...explain('stale', hub.settings.baseUrl) },
  };
}

async function checked(hub: Hub, { example }: Guide): Promise<Example> {
  const { host } = new URL(hub.settings.baseUrl);
  const headers = example.headers.flatMap(({ name, value }) => [name, value]);
  const answer = await checkRequest(hub, {
    method: example.method,
    target: example.path,
    headers: ['host', host, ...headers],
    body: Buffer.from(example.body),
  });
  return {
    title: 'With a signature',
    what: 'The request of signing.example, sent while it is fresh.',
    signed: true,
    call: { method: 'POST', path: example.path, body: { hello: 'hub' } },
    answer: { ...answer },
  };
}
