import { seconds } from '../instant.ts';
import type { NetworkId } from '../network.ts';
import { STARTER_AUTO_ACCEPT, STARTER_REWARD, WELCOME_TOKEN } from './limits.ts';
import { STARTER_ACCOUNT } from './model.ts';
import type { Draft } from './publish.ts';

/** Every account's first paid work (choices bonuses.starter); it is accepted after 60 seconds. */
export function starterDraft(network: NetworkId): Draft {
  return {
    requester: STARTER_ACCOUNT,
    title: 'Say hello',
    description: `Deliver any text that contains the token ${WELCOME_TOKEN}.`,
    rewardAmount: STARTER_REWARD,
    network,
    acceptance: { kind: 'contains', mode: 'all', values: [WELCOME_TOKEN] },
    verification: 'requester',
    mode: 'exclusive',
    autoAcceptSeconds: STARTER_AUTO_ACCEPT,
    disputeWindowSeconds: seconds(0),
    tags: ['starter'],
  };
}
