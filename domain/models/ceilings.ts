import { atomic } from '../money.ts';

/** Ceilings of spending on models in a UTC day, in atomic units (choices models.charging). */
export const ACCOUNT_DAY = atomic(20_000_000n);
export const HUB_DAY = atomic(500_000_000n);
