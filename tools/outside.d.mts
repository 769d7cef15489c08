/** Scripts that need more than npm alone. */
export const SCRIPTS: readonly string[];
