import assert from 'node:assert/strict';
import { faultIn, reasonIn } from './faults.ts';

describe('the error of a provider', () => {
  const words = 'The words.';
  const forms: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'in an object': { error: { message: words, type: 'x', code: null } },
    'as a text': { error: words },
    'as a list': { error: [words] },
    'in a list of errors': { errors: [{ code: 1, message: words }], success: false },
    'in a message that is an object': { object: 'error', message: { detail: words } },
    'at the top': { object: 'error', message: words },
    'as a detail': { detail: words },
    'in a status': { base_resp: { status_code: 1004, status_msg: words }, choices: null },
    'beside the choices': { error: { message: words }, choices: [{ delta: {} }] },
    'in a member of its own': { choices: [], x_groq: { error: words } },
  };
  for (const [where, body] of Object.entries(forms)) {
    it(`is found ${where}, with its words`, () => {
      assert.equal(faultIn(body)?.why, `The provider says: ${words}`);
    });
  }

  it('has the words of the host of the model, and the member that it is about', () => {
    const metadata = { raw: 'upstream reset', provider_name: 'p' };
    assert.equal(reasonIn({ error: { message: words, metadata } }), 'The words.: upstream reset');
    const about = { error: { message: words, param: 'messages[0].content' } };
    assert.equal(reasonIn(about), 'The words. (messages[0].content)');
    assert.equal(reasonIn({ error: { message: 'wrong: top_k', param: 'top_k' } }), 'wrong: top_k');
  });

  it('is none in a sound chunk', () => {
    const sound = [
      { choices: [] },
      { choices: [{ delta: {} }], error: null, x_groq: { id: 'a' } },
      { choices: [{ delta: {} }], base_resp: { status_code: 0, status_msg: 'success' } },
      { choices: [], message: 'hello', detail: 'x' },
      { choices: [], error: '' },
    ];
    for (const body of sound) assert.equal(faultIn(body), undefined, JSON.stringify(body));
  });
});
