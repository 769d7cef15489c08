import assert from 'node:assert/strict';
import type { JsonObject } from '../jsonObject.ts';
import { ECHO } from './echo.ts';
import { mediaFault, mediaTokens } from './media.ts';

const SEEING = { ...ECHO, reads: { image: 100, file: 500 } };
const image = (url: unknown): JsonObject => ({ type: 'image_url', image_url: { url } });
const file = (data: unknown): JsonObject => ({ type: 'file', file: { file_data: data } });
const promptOf = (content: unknown, role = 'user') => ({
  messages: [{ role, content }],
  options: {},
});
const PNG = 'data:image/png;base64,AAAA';
const PDF = 'data:application/pdf;base64,AAAA';

describe('images and files of a prompt', () => {
  it('count as the most tokens that the model has for each', () => {
    const prompt = promptOf([
      { type: 'text', text: 'x' },
      image(PNG),
      image('https://a.example/i'),
    ]);
    assert.equal(mediaTokens(prompt, SEEING), 200);
    assert.equal(mediaTokens(promptOf([file(PDF)]), SEEING), 500);
    assert.equal(mediaTokens(promptOf('x'), SEEING), 0);
    assert.equal(mediaFault(prompt, SEEING), undefined);
  });

  it('are refused where the model takes none, and where they are none', () => {
    assert.match(mediaFault(promptOf([image(PNG)]), ECHO)?.error ?? '', /takes no image/);
    const wrong: readonly (readonly [JsonObject, RegExp])[] = [
      [image('http://a.example/i'), /image_url\.url/],
      [image('file:///etc/passwd'), /image_url\.url/],
      [image(5), /image_url\.url/],
      [{ type: 'image_url' }, /image_url\.url/],
      [image(PDF), /image_url\.url/],
      [file('https://a.example/f'), /file\.file_data/],
      [{ type: 'file', file: { file_id: 'f' } }, /file\.file_data/],
    ];
    for (const [part, field] of wrong) {
      assert.match(mediaFault(promptOf([part]), SEEING)?.field ?? '', field, JSON.stringify(part));
    }
    const elsewhere = mediaFault(promptOf([image(PNG)], 'tool'), SEEING);
    assert.match(elsewhere?.error ?? '', /not the user's/);
  });
});
