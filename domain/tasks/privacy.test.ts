import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { published, RIVAL, WORKER } from './fixture.ts';
import { briefDigest, isPartyOf, isPrivate, privacyRefusal } from './privacy.ts';
import { digestOf } from './publish.ts';
import { taskWords } from './words.ts';

const { task: PUBLIC } = published({ title: 'Open words', description: 'secret words' });
const PRIVATE = { ...PUBLIC, audience: 'parties' } as const;

describe('private tasks', () => {
  it('are private by a term that the digest of the terms has', () => {
    deepEqual([isPrivate(PUBLIC), isPrivate(PRIVATE)], [false, true]);
    notEqual(digestOf('id', PUBLIC, 1), digestOf('id', PRIVATE, 1));
  });

  it('have a digest of their brief alone', () => {
    equal(briefDigest(PUBLIC), briefDigest({ ...PRIVATE, title: 'Other' }));
    for (const over of [
      { description: 'x' },
      { input: {} },
      { files: [] },
      { target: { origin: 'https://a.example' } },
    ]) {
      notEqual(briefDigest(PRIVATE), briefDigest({ ...PRIVATE, ...over }), JSON.stringify(over));
    }
  });

  it('are found by the words of their title alone', () => {
    deepEqual(taskWords(PUBLIC), ['open', 'words', 'secret']);
    deepEqual(taskWords(PRIVATE), ['open', 'words']);
  });

  it('are exclusive and no threads', () => {
    equal(privacyRefusal(PRIVATE), undefined);
    for (const over of [{ mode: 'open' }, { tags: ['thread'] }] as const) {
      equal(privacyRefusal({ ...PUBLIC, ...over }), undefined);
      equal(privacyRefusal({ ...PRIVATE, ...over })?.refused, 'not-together');
    }
  });

  it('have the requester, the worker and the payee as the parties of a result', () => {
    const { requester } = PUBLIC;
    const attempt = { worker: WORKER, payee: WORKER };
    const of = [requester, WORKER, RIVAL, undefined].map((by) => isPartyOf(PUBLIC, attempt, by));
    deepEqual(of, [true, true, false, false]);
  });
});
