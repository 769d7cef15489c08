import { openPaidFixture } from '../../x402/_fixture.ts';
import { followed } from './_follow.ts';
import { ON_CHAIN } from './_onChain.ts';

followed('money on a chain', { meets: ON_CHAIN, open: openPaidFixture });
