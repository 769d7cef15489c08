/** A problem of a field names the field and what to type. */
export const problemTexts = {
  required: (label: string) => `Fill in “${label}”.`,
  of: (label: string, rest: string) => `“${label}” ${rest}`,
  nearest: (name: string) => ` Did you mean “${name}”?`,
  scheme: 'Begin the address with https://',
  space: 'An address has no spaces. Copy it whole.',
  host: 'After https:// comes the name of a host, such as agent.example.',
  account: 'Begin the account with key:',
  keyLetters: 'An account has letters and digits only after key:, without 0, O, I and l.',
  keyShort: (n: number) => `This account is at least ${n} characters too short. Copy it whole.`,
  keyLong: (n: number) => `This account is ${n} characters too long. Copy it alone.`,
  evm: 'Begin the address with 0x',
  evmDigits: 'After 0x the address has only digits and the letters a to f.',
  evmCount: (n: number) => `After 0x the address has 40 characters; these are ${n}.`,
} as const;
