import assert from 'node:assert/strict';
import type { PanelVerdict } from './change.ts';
import { at, DAY, delivered, REQUESTER, RIVAL, some, WORKER } from './fixture.ts';
import type { Over } from './fixture.ts';
import { panelDecides } from './judged.ts';
import { karmaOf } from './karma.ts';

const NOW = at(60);
const vote = (account: typeof WORKER, verdict: 'accepted' | 'rejected' = 'accepted') => ({
  account,
  verdict,
});
const panelOf = (
  verdict: 'accepted' | 'rejected',
  size: number,
  ...votes: PanelVerdict['votes']
): PanelVerdict => ({ roundId: 'round', verdict, size, votes });
const judged = (over: Over = {}) => delivered({ verification: 'validator', ...over });
const decided = (panel: PanelVerdict, over: Over = {}) => {
  const aggregate = judged(over);
  return panelDecides(aggregate, some(aggregate.live[0]), panel, NOW);
};

describe('a panel', () => {
  const two = [vote(RIVAL), vote(REQUESTER), vote(WORKER, 'rejected')];

  it('accepts a result, which is paid after the dispute window', () => {
    const { task, live } = judged();
    const panel = panelOf('accepted', 3, ...two);
    const winner = { ...some(live[0]), state: 'accepted', endedAt: NOW };
    const event = { at: NOW, event: 'panel.accepted', state: 'accepted', attemptId: 'attempt' };
    assert.deepEqual(decided(panel), {
      task: {
        ...task,
        state: 'accepted',
        judges: [RIVAL, REQUESTER, WORKER],
        accepted: { attemptId: 'attempt', at: NOW, payoutAt: at(60 + DAY) },
      },
      attempts: [winner],
      events: [{ ...event, note: '2 of 3 judges accepted it' }],
      money: { step: 'reserve', attempt: winner },
      panel,
    });
  });

  it('rejects a result, and the task is open again', () => {
    const { task, live } = judged();
    const panel = panelOf('rejected', 5, vote(RIVAL, 'rejected'), vote(REQUESTER));
    const note = '1 of 5 judges rejected it';
    assert.deepEqual(decided(panel), {
      task: { ...task, state: 'open', judges: [RIVAL, REQUESTER] },
      attempts: [{ ...some(live[0]), state: 'rejected', endedAt: NOW, reason: note }],
      events: [{ at: NOW, event: 'panel.rejected', state: 'open', attemptId: 'attempt', note }],
      panel,
    });
  });

  it('counts a judge of two rounds once, and after those of before', () => {
    const aggregate = judged();
    const task = { ...aggregate.task, judges: [WORKER, RIVAL] };
    const panel = panelOf('rejected', 3, vote(REQUESTER), vote(WORKER));
    const change = panelDecides({ ...aggregate, task }, some(aggregate.live[0]), panel, NOW);
    assert.deepEqual(change.task.judges, [WORKER, RIVAL, REQUESTER]);
  });

  it('is named so when it has one judge', () => {
    for (const verdict of ['accepted', 'rejected'] as const) {
      const { events } = decided(panelOf(verdict, 1, vote(RIVAL, verdict)));
      assert.equal(events[0]?.note, `the judge ${verdict} it`);
    }
  });
});

describe('the karma of a panel', () => {
  const causes = (panel: PanelVerdict) => karmaOf(decided(panel));
  const ref = { kind: 'round', id: 'round' };
  const judge = { counterparty: REQUESTER, ref, occasion: 'round' };

  it('is of each judge, by whether it agreed with the panel', () => {
    const votes = [vote(RIVAL), vote(WORKER, 'rejected')];
    assert.deepEqual(causes(panelOf('accepted', 3, ...votes)), [
      { ...judge, subject: RIVAL, reason: 'judge.agreed' },
      { ...judge, subject: WORKER, reason: 'judge.disagreed' },
    ]);
  });

  it('is of the worker too when its result was rejected', () => {
    const rejected = {
      subject: WORKER,
      counterparty: REQUESTER,
      ref: { kind: 'task', id: 'task' },
      occasion: 'attempt',
      reason: 'panel.rejected',
    };
    assert.deepEqual(causes(panelOf('rejected', 3, vote(RIVAL, 'rejected'))), [
      rejected,
      { ...judge, subject: RIVAL, reason: 'judge.agreed' },
    ]);
    assert.deepEqual(causes(panelOf('rejected', 1, vote(RIVAL, 'rejected'))), [rejected]);
  });

  it('is none for a judge alone', () => {
    assert.deepEqual(causes(panelOf('accepted', 1, vote(RIVAL))), []);
  });
});
