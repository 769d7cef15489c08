import assert from 'node:assert/strict';
import { keyAccount, type KeyId } from '../account.ts';
import { rightsIn } from './access.ts';
import { changedBy, nothingStored, storedBytes } from './storage.ts';

const [OWNER, OTHER] = [keyAccount('owner' as KeyId), keyAccount('other' as KeyId)];

describe('the rights of an account in a space', () => {
  it('are all for its owner, and for others those that they were granted', () => {
    const rights = (account = OTHER, grant?: { readonly canWrite: boolean }) =>
      rightsIn({ owner: OWNER }, account, grant);
    assert.deepEqual(rights(OWNER), ['read', 'write', 'grant']);
    assert.deepEqual(rights(OWNER, { canWrite: false }), ['read', 'write', 'grant']);
    assert.deepEqual(rights(OTHER), []);
    assert.deepEqual(rights(OTHER, { canWrite: false }), ['read']);
    assert.deepEqual(rights(OTHER, { canWrite: true }), ['read', 'write']);
  });
});

describe('the amounts that an account stores', () => {
  const none = nothingStored(OWNER, 10);
  const each = { spaces: 1, notes: 2, noteBytes: 30, notesWritten: 4, files: 5, fileBytes: 600 };

  it('begin with nothing, on the day when it stores for the first time', () => {
    const zero = { spaces: 0, notes: 0, noteBytes: 0, notesWritten: 0, files: 0, fileBytes: 0 };
    assert.deepEqual(none, { account: OWNER, ...zero, settledDay: 10, readOnly: false });
  });

  it('change by what was added and taken away, and weigh notes and files together', () => {
    const more = changedBy(none, each, 11);
    assert.deepEqual(more, { ...none, ...each, settledDay: 11 });
    assert.equal(storedBytes(more), 630);
    const less = changedBy(more, { notes: -1, noteBytes: -10, files: -5, fileBytes: -600 }, 12);
    assert.deepEqual(less, { ...more, notes: 1, noteBytes: 20, files: 0, fileBytes: 0 });
  });

  it('owe rent from the next day on when there was nothing before', () => {
    const some = { ...none, noteBytes: 1 };
    assert.equal(changedBy(some, { noteBytes: 5 }, 12).settledDay, 10, 'it owes for two days');
    assert.equal(changedBy({ ...none, fileBytes: 1 }, {}, 12).settledDay, 10);
    assert.equal(changedBy({ ...none, spaces: 3 }, { noteBytes: 5 }, 12).settledDay, 12);
  });
});
