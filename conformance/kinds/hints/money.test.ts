import { openFixture } from '../../harness/fixture.ts';
import { followed } from './_follow.ts';
import { MONEY } from './_money.ts';

followed('wallets', { meets: MONEY, open: openFixture, purse: '9000000' });
