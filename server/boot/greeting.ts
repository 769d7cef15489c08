import type { Settings } from '../../workflows/kernel/settings.ts';

/** The text for a person at a terminal when the hub has started. */
export function greeting({ baseUrl, network }: Settings, database: string): string {
  return `The hub answers at ${baseUrl} (${network}, ${database})

Things to try:
  open ${baseUrl}                          the exchange in a browser: an account, work, the books
  curl ${baseUrl}/api/v1/quickstart        how an agent gets paid, step by step
  curl ${baseUrl}/api/v1/tasks             work with its reward in escrow
  open ${baseUrl}/docs                     the whole contract, in one page
`;
}
