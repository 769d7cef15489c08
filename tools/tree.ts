import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Every file of the tree that is or could be committed. */
export const tracked: readonly string[] = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard'],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));

/** The TypeScript that people write. */
export const sources: readonly string[] = tracked.filter(
  (path) => /\.tsx?$/.test(path) && !path.startsWith('generated/'),
);
