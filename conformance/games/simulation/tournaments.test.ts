import { LENGTHS } from '../../harness/lengths.ts';
import { walk } from '../../kinds/simulate/walk.ts';
import { playTournaments } from './tournamentDriver.ts';

walk('sit-and-gos and an independent model of them', {
  seed: 4,
  operations: LENGTHS.gameOperations,
  matched: [
    'sit',
    'sit: buyin-range',
    'sit: already-seated',
    'sit: started',
    'leave',
    'leave: started',
    'leave: not-seated',
    'act',
    'act: illegal-move',
    'absent',
    'busted',
    'won',
    'not filled',
  ],
  hasOwnChance: true,
  play: playTournaments,
});
