/**
 * `npm run simulate` compares the hub with a model (`simulate/main.ts`); `npm run simulate -- sybil`
 * prints what rings of accounts gain and pay (docs/karma.md).
 */
if (process.argv[2] === 'sybil') {
  const { printRings } = await import('./sybil/rings.ts');
  printRings((line) => console.log(line));
} else {
  await import('./simulate/main.ts');
}
