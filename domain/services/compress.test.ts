import assert from 'node:assert/strict';
import { compressByRule, languageOf } from './compress.ts';
import { compressPrice } from './prices.ts';

function compressed(source: string) {
  const steps = compressByRule(source);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
const textOf = (source: string): string => compressed(source).text;

describe('the rules of compression', () => {
  it('leave out courtesy', () => {
    const rows = [
      ['Hello there, list the plans', 'list the plans'],
      ['Dear team! List the plans', 'List the plans'],
      ['would you please be so kind as to list them', 'list them'],
      ['I would really like you to list them', 'list them'],
      ['I’d love for you to list them', 'list them'],
      ['I need you to list them', 'list them'],
      ['please make sure that it runs', 'it runs'],
      ['kindly list them, if possible', 'list them'],
      ['Please note that it runs', 'it runs'],
      ['List them. Many thanks in advance!', 'List them.'],
      ['Thank you so much. List them', 'List them'],
      ['Thanks a lot! Go', 'Go'],
      ["I'd appreciate it if you would list them", 'list them'],
      ['i would appreciate it if you could list them', 'list them'],
      ['Liste die Pläne, bitte', 'Liste die Pläne,'],
      ['s’il vous plaît, liste les plans', 'liste les plans'],
    ] as const;
    for (const [source, expected] of rows) assert.equal(textOf(source), expected, source);
  });

  it('shorten wordy phrases', () => {
    const rows = [
      ['it is important to note that it fails', 'it fails'],
      ['it is basically, really quite slow', 'it is slow'],
      ['in order to win, make use of it', 'to win, use it'],
      ['slow due to the fact that it waits', 'slow because it waits'],
      ['at this point in time it is off', 'now it is off'],
      ['in the event that it fails', 'if it fails'],
      ['a key for the purpose of signing', 'a key for signing'],
      ['a lot of plans with regard to work', 'many plans about work'],
      ['each and every plan as well as its owner', 'every plan and its owner'],
      ['it is able to sign', 'it can sign'],
      ['a   b\t\tc  \nd', 'a b c\nd'],
      ['a\n\n\n\nb', 'a\n\nb'],
    ] as const;
    for (const [source, expected] of rows) assert.equal(textOf(source), expected, source);
  });

  it('keep words that only contain the phrases', () => {
    const sources = [
      ...['I was pleased', 'justice', 'a verylong word', 'unkindly', 'highland', 'Thanksgiving'],
      ...['thanks to caching', 'thank yourself', 'a bitter taste', 'hi there', 'make users of it'],
    ];
    for (const source of sources) {
      assert.deepEqual(compressed(source), { text: source, dropped: [] });
    }
  });

  it('name each phrase that went, in the order of the rules, and no space', () => {
    const { text, dropped } = compressed('Just   list, in order to sell. Please hurry.  Just go.');
    assert.equal(text, 'list, to sell. hurry. go.');
    assert.deepEqual(dropped, ['Please', 'Just', 'Just', 'in order to']);
  });

  it('name at most 200 phrases, of at most 200 characters each', () => {
    const many = compressed(`${'please go '.repeat(201)}`);
    assert.equal(many.text, 'go '.repeat(201).trim());
    assert.deepEqual(many.dropped, Array<string>(200).fill('please'));
  });

  it('leave a text as it is that would have nothing left', () => {
    assert.deepEqual(compressed(' Please, please! '), {
      text: '!',
      dropped: ['Please,', 'please'],
    });
    assert.deepEqual(compressed(' Thank you! '), { text: 'Thank you!', dropped: [] });
  });

  it('leave a text as it is that has the sign of a protected part', () => {
    const source = 'please \ue000 `please`  ';
    assert.deepEqual(compressed(source), { text: source, dropped: [] });
  });

  it('put each protected part back where it stood', () => {
    assert.equal(
      textOf('please run `please`, then "just a test" at https://a.example/?q=please kindly 5 %'),
      'run `please`, then "just a test" at https://a.example/?q=please 5 %',
    );
    assert.equal(
      textOf('Please quote "run `please  x` at https://a.example/ now" and please go'),
      'quote "run `please  x` at https://a.example/ now" and go',
      'code and addresses inside of a quotation stand there once',
    );
  });

  it('give way after each of them', () => {
    const steps = compressByRule('please go');
    let count = 0;
    while (steps.next().done !== true) count += 1;
    assert.ok(count > 25, `${count} steps`);
  });
});

describe('the language of a text', () => {
  it('is that whose common words it has most often', () => {
    const rows = [
      ['en', 'The price OF the plan is for you'],
      ['de', 'der Preis ist nicht für die Katze'],
      ['fr', 'le prix est pour vous dans une ville'],
      ['es', 'el precio es para los gatos'],
      ['it', 'il prezzo che sono gli anni della casa'],
      ['pt', 'os preços não são para você'],
      ['nl', 'het is niet voor een kat van je'],
    ] as const;
    for (const [language, text] of rows) assert.equal(languageOf(text), language, text);
  });

  it('is that of its script, where the script has one', () => {
    const rows = [
      ['ja', 'the list, the 価格のリスト'],
      ['ko', '가격 목록'],
      ['zh', '价格表'],
      ['ru', 'список цен'],
      ['ar', 'قائمة الأسعار'],
      ['el', 'κατάλογος'],
      ['he', 'מחירון'],
      ['hi', 'मूल्य सूची'],
    ] as const;
    for (const [language, text] of rows) assert.equal(languageOf(text), language, text);
  });

  it('is unclear without common words, and where two languages have as many', () => {
    for (const text of ['', '123', 'xyz', 'the der', 'theder']) {
      assert.equal(languageOf(text), 'und', text);
    }
    assert.equal(languageOf('the der the'), 'en');
  });

  it('is read from the first 8,192 characters', () => {
    assert.equal(languageOf(`${'1'.repeat(8_188)} the`), 'en');
    assert.equal(languageOf(`${'1'.repeat(8_191)} the`), 'und');
  });
});

describe('the price of a compression', () => {
  it('is 500, and 100 for each KB of UTF-8 that is started', () => {
    const rows = [
      ['', 500n],
      ['a', 600n],
      ['a'.repeat(1_024), 600n],
      ['a'.repeat(1_025), 700n],
      ['é'.repeat(513), 700n],
    ] as const;
    for (const [text, price] of rows) assert.equal(compressPrice(text), price);
  });
});
