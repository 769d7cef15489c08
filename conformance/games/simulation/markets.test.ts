import { LENGTHS } from '../../harness/lengths.ts';
import { walk } from '../../kinds/simulate/walk.ts';
import { playMarkets } from './marketDriver.ts';

walk('markets and an independent model of them', {
  seed: 4,
  operations: LENGTHS.gameOperations,
  matched: [
    'create',
    'bet',
    'bet: repeated',
    'bet: below-minimum',
    'bet: market-closed',
    'bet: creator-may-not',
    'bet: market-moved',
    'bet: insufficient-funds',
    'judge',
    'judge: market-open',
    'judge: already-resolved',
    'judge: bad-check',
    'judge: not-a-judge',
    'judge: holds-position',
    'paid yes',
    'paid no',
    'unanswerable',
    'unresolved',
    'no-sample',
    'empty-side',
  ],

  play: playMarkets,
});
