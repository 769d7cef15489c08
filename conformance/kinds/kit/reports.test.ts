import assert from 'node:assert/strict';
import { patience, patiently } from '../../harness/patience.ts';
import { waitForLimits } from './limits.ts';
import { NotAsked } from './notAsked.ts';
import { html } from './reports/html.ts';
import { json } from './reports/json.ts';
import { junit } from './reports/junit.ts';
import { summary } from './reports/text.ts';
import { exitCodeOf, type Outcome, type Run } from './results.ts';

const HELD: Outcome = { is: 'held' };
const BROKEN: Outcome = { is: 'broken', message: 'GET <b> & "x"\nwas 500\u0000' };
const UNASKED: Outcome = { is: 'not-asked', reason: 'clock' };

function runOf(...outcomes: readonly Outcome[]): Run {
  return {
    version: '0.1.0',
    url: 'https://hub.example.org',
    seed: 7,
    startedAt: '2026-11-20T10:00:00.000Z',
    seconds: 3,
    results: outcomes.map((outcome, index) => ({
      file: 'tasks/submit',
      title: `test ${index}`,
      milliseconds: 5,
      outcome,
    })),
    operations: { declared: 3, answered: 2, neverSucceeded: ['tasks.trial'] },
  };
}

describe('reports of a conformance run', () => {
  const run = runOf(HELD, BROKEN, UNASKED, UNASKED);

  it('ends with 1 when something did not hold, with 2 when nothing was asked', () => {
    assert.equal(exitCodeOf(run.results), 1);
    assert.equal(exitCodeOf(runOf(HELD, UNASKED).results), 0);
    assert.equal(exitCodeOf(runOf(UNASKED).results), 2);
    assert.equal(exitCodeOf([]), 2);
  });

  it('is JUnit that a parser can read, whatever a hub has answered', () => {
    const xml = junit(run);
    assert.match(xml, /tests="4" failures="1" errors="0" skipped="2"/);
    assert.match(xml, /<failure message="GET &lt;b&gt; &amp; &quot;x&quot;">/);
    assert.ok(!xml.includes('\u0000'), 'XML has no way to write it');
    assert.match(xml, /<skipped message="needs the hub&#39;s clock moved"\/>/);
  });

  it('is a page that shows what did not hold and runs nothing of it', () => {
    const page = html(run);
    assert.match(page, /GET &lt;b&gt;/);
    assert.doesNotMatch(page, /<b>/);
    assert.match(page, /<td>2<\/td><td>needs the hub&#39;s clock moved/);
  });

  it('is JSON with counts, reasons and every test', () => {
    const reported = JSON.parse(json(run)) as Record<string, unknown>;
    assert.deepEqual(reported['counts'], { held: 1, broken: 1, notAsked: 2 });
    assert.deepEqual(reported['notAsked'], [
      { reason: 'clock', says: "needs the hub's clock moved", count: 2 },
    ]);
    assert.equal((reported['results'] as unknown[]).length, 4);
  });

  it('names the operations that were not seen to succeed', () => {
    assert.match(summary(run), /2 of 3 operations answered; not seen to succeed: tasks\.trial/);
  });
});

describe("a hub's limits", () => {
  const { mayAskAgain } = patience;
  before(() => waitForLimits());
  after(() => {
    patience.mayAskAgain = mayAskAgain;
  });
  const limited = (seconds: string): { status: number; headers: Headers } => ({
    status: 429,
    headers: new Headers({ 'retry-after': seconds }),
  });

  it('are waited for as long as the hub says', async () => {
    const answers = [limited('0'), { status: 200, headers: new Headers() }];
    const answer = await patiently(() => Promise.resolve(answers.shift() ?? limited('0')));
    assert.equal(answer.status, 200);
  });

  it('leave the test unasked when they are of an hour', async () => {
    const ask = patiently(() => Promise.resolve(limited('3600')));
    await assert.rejects(ask, (error) => error instanceof NotAsked && error.reason === 'limits');
  });
});
