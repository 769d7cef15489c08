import assert from 'node:assert/strict';
import { isDryRun } from './dryRun.ts';

describe('a preference for a dry run', () => {
  it('stands alone or among others, in any letters, with parameters', () => {
    for (const prefer of ['dry-run', 'DRY-Run', 'wait=10, dry-run', ' dry-run ; a=b', 'dry-run,x'])
      assert.equal(isDryRun(prefer), true, prefer);
  });

  it('is nothing else', () => {
    for (const prefer of [
      undefined,
      ['dry-run'],
      '',
      'dry',
      'dry-run=false',
      'x;dry-run',
      'dryrun',
    ])
      assert.equal(isDryRun(prefer), false, String(prefer));
  });
});
