import { followed } from './_follow.ts';
import { IDENTITIES, openPlace } from './_identities.ts';

followed('proofs, listings and reviews', { meets: IDENTITIES, open: openPlace, purse: '9000000' });
