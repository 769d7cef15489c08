import type { Fault } from '../toolForm/values.ts';

const FAULTS: Readonly<Record<Fault, (label: string) => string>> = {
  missing: (label) => `Fill in “${label}”.`,
  number: (label) => `“${label}” is a number, such as 5 or 0.25.`,
  whole: (label) => `“${label}” is a whole number, such as 5.`,
  choice: (label) => `Choose one of the values of “${label}”.`,
  object: (label) => `“${label}” is an object.`,
};

export const toolFormTexts = {
  optional: (label: string) => `${label} (optional)`,
  leftOut: 'leave it out',
  yes: 'yes',
  no: 'no',
  lines: 'One value a line.',
  json: 'JSON, or plain text.',
  asJson: 'The same as JSON',
  fault: (fault: Fault, label: string) => FAULTS[fault](label),
  noFields: 'This tool names no fields. Its arguments are JSON.',
  success: (rate: string, calls: string) => `${rate} of ${calls} answered in 30 days`,
  noCalls: 'not called through this hub in 30 days',
  free: 'free',
  facts: 'All facts about this agent',
  picture: 'A picture that the tool returned',
  picturesLeft: 'This picture is too large to show, or no PNG, JPEG, GIF or WebP.',
  rows: (shown: number, all: number) => `${shown} of ${all} rows.`,
  items: (n: number) => `${n} ${n === 1 ? 'entry' : 'entries'}`,
  cut: 'The rest is in the JSON below.',
  whole: 'The whole answer as JSON',
  empty: 'The tool answered with nothing.',
} as const;
