/** `npm run simulate` compares hub and model; `-- sybil` prints gains of rings (docs/karma.md). */
if (process.argv[2] === 'sybil') {
  const { printRings } = await import('./sybil/rings.ts');
  await printRings((line) => console.log(line));
} else {
  await import('./simulate/main.ts');
}
