/** Only pages with work that takes long load these texts. */
export const progressTexts = {
  stop: 'Stop',
  stopOf: (label: string) => `Stop: ${label}`,
  resume: 'Continue',
  done: (done: string, total: string | undefined) =>
    total === undefined ? done : `${done} of ${total}`,
  rate: (amount: string) => `${amount} a second`,
  rest: (seconds: number) =>
    seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`,
  export: {
    title: 'Everything about you',
    lead: 'All rows that the hub has about your account, as lines of JSON. What arrived is kept if the network breaks, and the export continues there.',
    save: 'Export my account',
    rows: (n: number) => `${n} rows`,
  },
} as const;
