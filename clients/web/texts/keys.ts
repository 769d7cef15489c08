interface Remains {
  readonly grants: readonly unknown[];
  readonly domains: readonly unknown[];
  readonly listings: readonly unknown[];
}

/** Only the page of the keys loads these texts. */
export const keyTexts = {
  windows: { call: 'per call', hour: 'this hour', day: 'today', month: 'this month' },
  leftOf: 'left of',
  until: 'new',
  approveAbove: 'You approve each call above',
  nothing: 'none',
  lists: [
    ['operations', 'Operations'],
    ['counterparties', 'Counterparties'],
    ['tools', 'Tools'],
    ['models', 'Models'],
    ['networks', 'Networks'],
  ],
  mandate: 'Download these limits as a signed file',
  revoked: 'revoked',
  revoke: 'Revoke this key',
  revokeQuestion: (key: string) =>
    `${key} then does nothing more for this account, and this cannot be undone. What it has begun runs to its end.`,
  revokeYes: 'Yes, revoke it',
  remains: ({ grants, domains, listings }: Remains) =>
    `The key is revoked. What it made stays, and Storage and Listings show it. Grants of memory: ${grants.length}. Domains: ${domains.length}. Listings: ${listings.length}.`,
  mint: {
    title: 'A key for an agent',
    lead: 'It acts for this account and spends no more than you say. It cannot change its limits, make keys or pay money out.',
    once: 'This is the key. It is shown now and never again: give it to the agent as its key file.',
    theKey: 'Copy the key file',
    save: 'Save it as agent.key',
    make: 'Make a limited key',
    label: 'Name of the limited key',
    labelHint: 'For your own reading.',
    perDay: 'At most in a day, in USDC',
    perDayHint: 'Days are those of UTC. What is given back counts no more.',
    perCall: 'At most in one call, in USDC',
    above: 'You approve calls above, in USDC',
    optional: 'Optional.',
    operations: 'Only these operations',
    operationsHint:
      'Optional, such as wallet.pay and models.chat. Reads are always allowed. Withdrawals, loans, API keys and poker have to be named.',
  },
} as const;
