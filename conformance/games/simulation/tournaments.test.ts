import { playTournaments } from './tournamentDriver.ts';
import { playUntilMet } from './untilMet.ts';

const SEED = Number(process.env['SIMULATE_SEED'] ?? 4);
const MET = [
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
];

playUntilMet('sit-and-gos and an independent model of them', {
  seed: SEED,
  met: MET,
  play: playTournaments,
});
