import { seconds } from '../instant.ts';
import type { NetworkId } from '../network.ts';
import { STARTER_AUTO_ACCEPT, STARTER_REWARD, WELCOME_TOKEN } from './limits.ts';
import { STARTER_ACCOUNT } from './model.ts';
import type { Draft } from './publish.ts';

/**
 * The first paid work of every account (choices bonuses.starter). It goes through the requester on
 * purpose: silence accepts it after 60 seconds, as the interface says, not at once.
 */
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
