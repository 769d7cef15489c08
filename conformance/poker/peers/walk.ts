import { createHash } from 'node:crypto';
import { CATEGORIES, scoreSeven } from '../../../domain/poker/evaluate.ts';
import { OF_SEVEN, OF_SEVEN_ALL, RANKS_OF_SEVEN, RANKS_SHA256 } from './counts.ts';
import { openEvaluator, peersCard } from './evaluatorPeer.ts';

/**
 * `npm run poker:walk`: counts the categories of all hands of seven cards and checks that scores
 * and poker-evaluator's values are one order. The hash is over each rank, from 0, as two bytes.
 */
const { evalCard, first } = openEvaluator();
const CARDS = 52;
const SCORES = CATEGORIES.length << 20;
const CHUNK = 1 << 20;
const theirs = Array.from({ length: CARDS }, (_, card) => peersCard(card));

/** Calls with the score of every hand and with what the peer says of it. */
function walk(visit: (score: number, value: number) => void): void {
  const after = (place: number, card: number): number => evalCard(place + (theirs[card] ?? 0));
  for (let a = 0; a < 46; a += 1) {
    const ofOne = after(first, a);
    for (let b = a + 1; b < 47; b += 1) {
      const ofTwo = after(ofOne, b);
      for (let c = b + 1; c < 48; c += 1) {
        const ofThree = after(ofTwo, c);
        for (let d = c + 1; d < 49; d += 1) {
          const ofFour = after(ofThree, d);
          for (let e = d + 1; e < 50; e += 1) {
            const ofFive = after(ofFour, e);
            for (let f = e + 1; f < 51; f += 1) {
              const ofSix = after(ofFive, f);
              for (let g = f + 1; g < CARDS; g += 1) {
                visit(scoreSeven(a, b, c, d, e, f, g), after(ofSix, g));
              }
            }
          }
        }
      }
    }
  }
}

const faults: string[] = [];
const counts = new Uint32Array(CATEGORIES.length);
const valueOf = new Int32Array(SCORES).fill(-1);
let apart = 0;
const began = process.hrtime.bigint();
walk((score, value) => {
  const category = score >> 20;
  counts[category] = (counts[category] ?? 0) + 1;
  if (valueOf[score] === -1) valueOf[score] = value;
  else if (valueOf[score] !== value) apart += 1;
});
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
for (const [nth, name] of CATEGORIES.entries()) {
  const right = counts[nth] === OF_SEVEN[name];
  if (!right) faults.push(name);
  console.log(`${name.padEnd(16)} ${counts[nth]} ${right ? 'as known' : `not ${OF_SEVEN[name]}`}`);
}
if (apart > 0)
  faults.push(`${apart} hands have another value in poker-evaluator than their equals`);

const rankOf = new Uint16Array(SCORES);
let [ranks, before] = [0, -1];
for (let score = 0; score < SCORES; score += 1) {
  const value = valueOf[score] ?? -1;
  if (value === -1) continue;
  if (value <= before) faults.push(`score ${score} is not above the one before it`);
  before = value;
  rankOf[score] = ranks;
  ranks += 1;
}
if (ranks !== RANKS_OF_SEVEN) faults.push(`${ranks} ranks, not ${RANKS_OF_SEVEN}`);

const hash = createHash('sha256');
const chunk = Buffer.alloc(CHUNK);
let filled = 0;
walk((score) => {
  filled = chunk.writeUInt16LE(rankOf[score] ?? 0, filled);
  if (filled < CHUNK) return;
  hash.update(chunk);
  filled = 0;
});
const digest = hash.update(chunk.subarray(0, filled)).digest('hex');
if (digest !== RANKS_SHA256) faults.push(`the hash of all ranks is not ${RANKS_SHA256}`);

console.log(`${ranks} ranks in the order of poker-evaluator, SHA-256 ${digest}`);
console.log(`${OF_SEVEN_ALL} hands twice, the first time in ${seconds.toFixed(1)} s`);
for (const fault of faults) console.log(`WRONG: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
