/** Expired rows that one unit deletes at most, so that no other write waits for long. */
export const SWEEP_ROWS_MAX = 10_000;
