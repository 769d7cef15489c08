import { playTables } from './tableDriver.ts';
import { playUntilMet } from './untilMet.ts';

const SEED = Number(process.env['SIMULATE_SEED'] ?? 4);
const MET = [
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
];

playUntilMet('cash tables and an independent model of them', {
  seed: SEED,
  met: MET,
  play: playTables,
});
