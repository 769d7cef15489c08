interface Act {
  /** The account that receives the money, by name. */
  readonly to: string | undefined;
  /** The memo, title or address of the request, in quotation marks. */
  readonly about: string | undefined;
}

const behind = (word: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${word} ${value}`;
const plain = (value: string | undefined): string => (value === undefined ? '' : ` ${value}`);

/** Each operation that takes money, as the end of "My agent wants to …". */
const acts: Readonly<Record<string, (money: string, act: Act) => string>> = {
  'wallet.pay': (money, { to, about }) => `pay ${money}${behind('to', to)}${behind('for', about)}`,
  'wallet.withdraw': (money, { about }) => `withdraw ${money}${behind('to', about)}`,
  'router.call': (money, { about }) => `call the tool${plain(about)} for up to ${money}`,
  'models.chat': (money, { about }) => `ask the model${plain(about)} for up to ${money}`,
  'tasks.publish': (money, { about }) => `publish the task${plain(about)} and put up ${money}`,
  'tasks.accept': (money, { to }) => `accept a result${behind('of', to)} and pay ${money}`,
  'tasks.cancel': (money) => `withdraw a task, which costs ${money}`,
  'tasks.amend': (money) => `change the terms of a task, which costs ${money}`,
  'chains.create': (money, { about }) =>
    `publish the chain of tasks${plain(about)} and put up ${money}`,
  'chains.abandon': (money) => `give up a chain of tasks, which costs ${money}`,
  'validators.register': (money) => `take a seat as a judge with a stake of ${money}`,
  'predictions.create': (money, { about }) => `open the market${plain(about)} for ${money}`,
  'predictions.bet': (money) => `bet ${money} on a market`,
  'poker.sit': (money) => `sit down at a poker table with ${money}`,
  'memory.write': (money) => `write a note for ${money}`,
  'memory.search': (money) => `search notes for ${money}`,
  'memory.import': (money) => `bring notes into a space for ${money}`,
  'files.put': (money, { about }) => `store the file${plain(about)} for ${money}`,
  'files.get': (money, { about }) => `read the file${plain(about)} for ${money}`,
  'hosted.publish': (money, { about }) => `list the agent${plain(about)} for ${money}`,
};

/** Only pages that show a call that waits load these texts. */
export const approvalTexts = {
  title: 'Your approval is needed',
  lead: 'Each approval permits one call. The agent then sends it again by itself.',
  none: 'Nothing waits for your approval.',
  wants: (who: string, wish: string) => `${who} wants to ${wish}.`,
  other: (operation: string, money: string) => `call ${operation} for up to ${money}`,
  acts,
  spent: (window: string, used: string, limit: string) => `${window} ${used} of ${limit} spent.`,
  windows: { call: 'In this call', hour: 'This hour', day: 'Today', month: 'This month' },
  lapses: 'lapses',
  approve: 'Approve',
  reject: 'Refuse',
  /** Names the buttons for a screen reader where several calls wait. */
  about: (press: string, sentence: string) => `${press}: ${sentence}`,
  soon: { approved: 'Approved.', rejected: 'Refused.' },
  sentIn: (seconds: number) => `It takes effect in ${seconds} s.`,
  undo: 'Undo',
  details: 'The whole call',
  request: (operation: string) => `The call of ${operation}`,
  notify: 'Notify me when a call waits',
  notified: 'This browser notifies you while a page of the hub is open.',
  notNotified: 'Notifications are blocked. The settings of this browser can allow them.',
} as const;
