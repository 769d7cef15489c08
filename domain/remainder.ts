/** Splits an amount equally: floors, then the remaining units to the earliest places. */
export function equalParts(amount: bigint, count: number): readonly bigint[] {
  const places = Array.from({ length: count }, (_, place) => place);
  return largestRemainder(
    amount,
    places.map(() => 1n),
    places,
  );
}

/** Splits an amount by weights: floors, then a unit each by remainder, ties to the lower place. */
export function largestRemainder(
  amount: bigint,
  weights: readonly bigint[],
  places: readonly number[],
): readonly bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) return weights.map(() => 0n);
  const shares = weights.map((weight) => (weight * amount) / whole);
  const left = Number(amount - shares.reduce((sum, share) => sum + share, 0n));
  const order = weights
    .map((weight, nth) => ({ nth, rest: (weight * amount) % whole, place: places[nth] ?? 0 }))
    .sort((a, b) => (a.rest === b.rest ? a.place - b.place : a.rest < b.rest ? 1 : -1));
  for (const { nth } of order.slice(0, left)) shares[nth] = (shares[nth] ?? 0n) + 1n;
  return shares;
}
