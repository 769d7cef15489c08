/** Where a chair stands round the table: both from -1 to 1, right and down from the middle. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The first seat is at the bottom, and the others follow clockwise. */
export function placeOf(seat: number, first: number, seats: number): Place {
  const steps = (seat - first + seats) % seats;
  const angle = Math.PI * (0.5 + (2 * steps) / seats);
  const rounded = (value: number): number => Math.round(value * 1000) / 1000 + 0;
  return { x: rounded(Math.cos(angle)), y: rounded(Math.sin(angle)) };
}
