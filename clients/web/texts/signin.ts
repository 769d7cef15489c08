/** Only pages that open an account or add a way into it load these texts. */
export const signInTexts = {
  title: 'Sign in',
  or: 'Or sign in with what you have:',
  passkey: 'Sign in with a passkey',
  newPasskey: 'New account with a passkey',
  wallet: (name: string) => `Sign in with ${name}`,
  note: 'A passkey that your devices share opens the same account on each of them. A wallet does so wherever it is installed.',
  nameOf: (account: string) => `Account ${account}`,
  newName: 'Agent Exchange account',
  ways: 'Other ways in',
  waysLead:
    'Each way in is a key of its own, listed beside. Revoke it there when a device is lost; the others go on working.',
  addPasskey: 'Add a passkey',
  addWallet: (name: string) => `Add ${name}`,
  added: 'Added. You can sign in with it in any browser.',
  label: { passkey: 'Passkey', wallet: (name: string) => name },
  exportPasskey: 'Save the key of a passkey for the command line',
  exportKey: 'Save this key for the command line',
  exportHint:
    'The file is the key itself. Put it where hub looks for it, as .hub/agent.key, and give it to no one.',
  recovery: 'What to do when a device is lost',
  why: {
    cancelled: 'Nothing was signed, so nothing has changed.',
    noPrf:
      'This passkey cannot make a key (it lacks the PRF extension). Choose another place for the passkey, such as the password manager of your phone.',
    changing:
      'This wallet signs the same text differently each time, so it cannot be a way in. A contract wallet can still be your payout address.',
    noAccount: 'The wallet has shown no account.',
  },
  payout: {
    title: 'Your own wallet',
    lead: 'Connect it as the only address that this account pays out to. It signs a text; no transaction is sent.',
    use: (name: string) => `Pay out to ${name} only`,
    done: (address: string) => `Payouts now go to ${address} only, and the wallet has proved it.`,
  },
} as const;
