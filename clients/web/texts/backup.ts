export const backupTexts = {
  title: 'The key in this browser',
  closed: [
    'Nothing can read this key, not even this page: it can only be asked for signatures while the page is open. So no copy can be stolen, and there is no backup of it either.',
    'Who clears the data of this site, or loses this device, loses the key. The account stays yours only through another key: join one below, kept elsewhere, before it holds real money.',
  ],
  open: [
    'This key can be copied, because it was made or brought that way. A backup brings it back after the data of this site is cleared; but a malicious script in this page could copy it as well.',
    'Keep the file and its passphrase apart. The passphrase cannot be reset.',
  ],
  save: 'Save a backup',
  passphrase: 'Passphrase',
  passphraseHint: (least: number) => `At least ${least} characters; several words are best.`,
  again: 'The passphrase once more',
  differ: 'The two are not the same.',
  saved: (name: string) => `Saved as ${name}. Try it before you rely on it.`,
  forget: 'Remove this key from this browser',
  forgetClosed:
    'There is no copy of this key. Without another key joined to the account, its money is lost for ever.',
  forgetOpen: 'Without a backup or another key joined to the account, its money is lost for ever.',
  forgetYes: 'Yes, remove it for ever',
  others: 'Bring a key, or make one that can be backed up',
  bring: 'Use this key',
  bringLead:
    'From a backup of these pages, or a key file of the command line (.hub/agent.key). It stays in this browser.',
  file: 'Key file',
  fileHint: 'Choose it, or paste what is in it below.',
  text: 'Content of the key file',
  notKey: 'This is no key file.',
  locked: (account: string) => `A backup of ${account}.`,
  wrong: 'This passphrase does not open it.',
  copies: 'May it be copied from here again?',
  copiesOptions: [
    ['', 'No: nothing will read it (safer)'],
    ['1', 'Yes: it can be backed up here'],
  ],
  makeOpen: 'Make a key that can be backed up',
  makeOpenLead:
    'Recommended: the other button. A script can steal a key that can be copied. Choose this one if you trust a file in a safe place most.',
} as const;
