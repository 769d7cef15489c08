export const visitTexts = {
  fix: 'What to change:',
  next: 'Next visit',
  probes: 'What the crawler asked',
  outcomes: {
    ok: 'answered',
    'not-found': 'not found',
    'key-needed': 'needs a key',
    quoted: 'asks for money',
    refused: 'refused',
    malformed: 'answered in a wrong form',
    timeout: 'too slow',
    unreachable: 'not reachable',
    forbidden: 'not allowed',
    skipped: 'skipped',
  },
} as const;
