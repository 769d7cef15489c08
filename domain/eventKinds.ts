/** First words of the kinds of events that an account has; the filter of webhooks takes each. */
export const EVENT_AREAS = [
  'approval',
  'attempt',
  'comment',
  'delivery',
  'dispute',
  'hosted',
  'judge',
  'key',
  'lease',
  'listing',
  'market',
  'money',
  'panel',
  'pitch',
  'policy',
  'report',
  'solution',
  'space',
  'table',
  'task',
  'webhook',
] as const;

export type EventKind = `${(typeof EVENT_AREAS)[number]}.${string}`;
