import { openFixture } from '../../harness/fixture.ts';
import { followed } from './_follow.ts';
import { GAMES_AND_TIME } from './_games.ts';

followed('markets, tables and time', {
  meets: GAMES_AND_TIME,
  open: openFixture,
  purse: '9000000',
});
