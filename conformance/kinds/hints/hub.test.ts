import { openFixture } from '../../harness/fixture.ts';
import { followed } from './_follow.ts';
import { HUB, WITHOUT_FAUCET } from './_hub.ts';

/** Frozen books and a fault are fatal to the log, and here they are meant. */
const env = { HUB_LOG: 'silent', HUB_RATE_LIMITS: 'true' };

followed('the hub', { meets: HUB, open: () => openFixture({ env }), purse: '9000000' });
followed('a hub without a faucet', {
  meets: WITHOUT_FAUCET,
  open: () => openFixture({ env: { FAUCET_ENABLED: 'false' } }),
});
