import { openFixture } from '../../harness/fixture.ts';
import { followed } from './_follow.ts';
import { REQUESTS } from './_requests.ts';

followed('requests', { meets: REQUESTS, open: openFixture, purse: '9000000' });
