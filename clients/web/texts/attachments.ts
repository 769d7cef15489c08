/** Pages where files are attached or read load these texts. */
export const attachmentTexts = {
  choose: 'Choose a file',
  leave: (name: string) => `Leave out ${name}`,
  storing: 'Files that are stored',
  digest: (start: string) => `SHA-256 ${start}…`,
  tooLarge: (name: string, most: string) => `${name} is left out: a file has at most ${most}.`,
  tooMany: (most: number) => `At most ${most} files belong to one task or result.`,
  brief: 'Files for the worker, up to 32 MB each. You pay for their storage.',
  result: 'Files of the result, up to 32 MB each. You pay for their storage.',
  files: 'Files:',
  save: (name: string) => `Save ${name}`,
  saved: 'Saved: its bytes have this digest.',
} as const;
