import { CATEGORIES, scoreSeven } from '../../domain/poker/evaluate.ts';
import { OF_SEVEN, OF_SEVEN_ALL } from './counts.ts';

/** `npm run poker:walk`: every hand of seven cards there is, counted by category. */
const counts = new Uint32Array(CATEGORIES.length);
const started = process.hrtime.bigint();
for (let a = 0; a < 46; a += 1)
  for (let b = a + 1; b < 47; b += 1)
    for (let c = b + 1; c < 48; c += 1)
      for (let d = c + 1; d < 49; d += 1)
        for (let e = d + 1; e < 50; e += 1)
          for (let f = e + 1; f < 51; f += 1)
            for (let g = f + 1; g < 52; g += 1) {
              const category = scoreSeven(a, b, c, d, e, f, g) >> 20;
              counts[category] = (counts[category] ?? 0) + 1;
            }
const seconds = Number(process.hrtime.bigint() - started) / 1e9;
let wrong = 0;
for (const [nth, name] of CATEGORIES.entries()) {
  const right = counts[nth] === OF_SEVEN[name];
  if (!right) wrong += 1;
  console.log(`${name.padEnd(16)} ${counts[nth]} ${right ? 'as known' : `not ${OF_SEVEN[name]}`}`);
}
const perSecond = Math.round(OF_SEVEN_ALL / seconds / 1e4) / 100;
console.log(`${OF_SEVEN_ALL} hands in ${seconds.toFixed(1)} s, ${perSecond} million a second`);
process.exitCode = wrong === 0 ? 0 : 1;
