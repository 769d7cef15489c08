import { pathTo, type Query } from '../routes.ts';

/** The filters of the board as they were last, so that a task leads back to the same list. */
const STORED = 'board';

export function rememberBoard(query: Query): void {
  sessionStorage.setItem(STORED, JSON.stringify(query));
}

export function boardPath(): string {
  const query = JSON.parse(sessionStorage.getItem(STORED) ?? '{}') as Query;
  return pathTo('work', query);
}
