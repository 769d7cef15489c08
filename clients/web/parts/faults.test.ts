import assert from 'node:assert/strict';
import { HubRefusal, type RefusalBody } from '../../typescript/refusal.ts';
import { faultText } from './faults.ts';

function refusal(body: Partial<RefusalBody>): HubRefusal {
  const whole: RefusalBody = { error: 'Refused.', code: 'bad-request', hint: 'Mend it.', ...body };
  return new HubRefusal(Response.json(whole, { status: 400 }), whole);
}

describe('a refusal beside its field', () => {
  const faults = [
    { field: 'body.title', code: 'missing-field', message: 'body.title is required.' },
    {
      field: 'body.rewardAmount',
      code: 'bad-request',
      message: '`body.rewardAmount` must be at least 1; got "0".',
    },
    {
      field: 'body.tags[1]',
      code: 'bad-request',
      message: 'body.tags[1] must be one of sea, land; got "see".',
      nearest: 'sea',
    },
    {
      field: 'body.url',
      code: 'bad-request',
      message: 'body.url must match format "uri"; got "x".',
    },
  ] as const;
  const refused = refusal({ faults: [...faults] });

  it('speaks of the field by its label, each of all that are wrong', () => {
    assert.equal(faultText(refused, 'body.title', 'Title'), 'Fill in “Title”.');
    assert.equal(
      faultText(refused, 'body.rewardAmount', 'Reward in USDC'),
      '“Reward in USDC” must be at least 1; got "0".',
    );
    assert.equal(faultText(refused, 'body.url', 'Address'), 'Begin the address with https://');
  });

  it('covers what lies in a place, and names what was probably meant', () => {
    assert.equal(
      faultText(refused, 'body.tags', 'Tags'),
      'body.tags[1] must be one of sea, land; got "see". Did you mean “sea”?'.replace(
        'body.tags[1]',
        '“Tags”',
      ),
    );
  });

  it('says nothing of another field, of a longer name, or of another failure', () => {
    assert.equal(faultText(refused, 'body.tit', 'T'), undefined);
    assert.equal(faultText(refused, 'body.deadline', 'Deadline'), undefined);
    assert.equal(faultText(new TypeError('lost'), 'body.title', 'Title'), undefined);
    assert.equal(faultText(undefined, 'body.title', 'Title'), undefined);
  });

  it('reads a refusal of one field that has no list', () => {
    const one = refusal({ field: 'body.amount', error: 'This account has 5 USDC.' });
    assert.equal(faultText(one, 'body.amount', 'Amount'), 'This account has 5 USDC.');
  });
});
