/** Families of codes that `codes.test.ts` provokes whole, each code of them in its order. */
export const CODE_FAMILIES: readonly string[] = [
  'task-state',
  'claim',
  'terms',
  'credit',
  'bonuses',
];
