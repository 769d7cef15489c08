import { LENGTHS } from '../../harness/lengths.ts';
import { walk } from '../../kinds/simulate/walk.ts';
import { playTables } from './tableDriver.ts';

walk('cash tables and an independent model of them', {
  seed: 4,
  operations: LENGTHS.gameOperations,
  matched: [
    'sit',
    'sit: buyin-range',
    'sit again',
    'sit again: already-seated',
    'leave',
    'leave: not-seated',
    'act',
    'act: illegal-move',
    'timed out',
    'waiting',
    'sittingOut',
    'busted',
    'flop',
    'turn',
    'river',
  ],
  hasOwnChance: true,
  play: playTables,
});
