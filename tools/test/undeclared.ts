/** Answers that differed from the contract; a root hook of each file asserts that none is left. */
export const undeclared: string[] = [];
