/** Which operations were answered, and how: for what a run has not seen it cannot vouch. */
export const answered = new Map<string, Set<number>>();

export function noteAnswer(operationId: string, status: number): void {
  const statuses = answered.get(operationId) ?? new Set();
  answered.set(operationId, statuses.add(status));
}
