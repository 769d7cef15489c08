import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stem } from './stem.ts';
import { isStopWord, nameTerm, wordsOf } from './words.ts';

const stems = (text: string): readonly string[] => wordsOf(text, 100).map((word) => word.stem);
const wholes = (text: string): readonly string[] => wordsOf(text, 100).map((word) => word.whole);

describe('words of a text', () => {
  it('are the same in any case, accent, ending and script', () => {
    assert.deepEqual(stems('Translates TRANSLATION translator'), ['transl', 'transl', 'transl']);
    assert.deepEqual(stems('Café café'), ['cafe', 'cafe'].map(stem));
    assert.deepEqual(stems('東京の天気'), ['東京', '京の', 'の天', '天気']);
    assert.deepEqual(stems('mapping map'), ['map', 'map']);
  });

  it('have no letter that a keyboard of another language lacks', () => {
    const same: readonly (readonly [written: string, typed: string])[] = [
      ['Łukaszewicz', 'lukaszewicz'],
      ['Jørgensen', 'jorgensen'],
      ['Ærøskøbing', 'aeroskobing'],
      ['Œuvre', 'oeuvre'],
      ['Straßenbahn STRASSE', 'strassenbahn straße'],
      ['Đà Lạt', 'da lat'],
      ['Işıklar İZMİR', 'isiklar izmir'],
      ['Þingvellir, Ísafjörður', 'thingvellir isafjordur'],
      ['ΟΔΟΣ', 'οδος'],
      ['اَلْعَرَبِيَّةُ', 'العربية'],
      ['أحمد إلى الآن مدرسـة', 'احمد الى الان مدرسه'],
      ['وَالْمَخْزَن للمخزن', 'مخزن المخزن'],
      ['עִבְרִית', 'עברית'],
      ['٣٠ ۳۰ ३०', '30 30 30'],
      ['soft\u00adhyphen', 'softhyphen'],
    ];
    for (const [written, typed] of same) assert.deepEqual(stems(written), stems(typed), written);
    assert.deepEqual(wholes('Straße Łódź'), ['strasse', 'lodz']);
  });

  it('keep the vowels of scripts that write them as marks', () => {
    assert.deepEqual(wholes('दिन दान'), ['दिन', 'दान']);
    assert.notDeepEqual(stems('दिन'), stems('दान'));
    assert.deepEqual(wholes('हिन्दी में'), ['हिन्दी', 'में']);
  });

  it('change from pairs to whole words where the script changes', () => {
    assert.deepEqual(wholes('AWSのアカウント15日'), [
      'aws',
      'のア',
      'アカ',
      'カウ',
      'ウン',
      'ント',
      '15',
      '日',
    ]);
    assert.deepEqual(wholes('회의는 회의가'), ['회의', '의는', '회의', '의가']);
    assert.deepEqual(wholes('サーバー'), ['サー', 'ーバ', 'バー']);
  });

  it('are cut inside identifiers, and kept whole too', () => {
    const [word] = wordsOf('createGitHubIssue', 10);
    assert.equal(word?.whole, 'creategithubissue');
    assert.deepEqual(word?.parts, ['create', 'git', 'hub', 'issue'].map(stem));
    assert.deepEqual(wordsOf('PDFReader', 10)[0]?.parts, ['pdf', 'reader'].map(stem));
  });

  it('are cut before each capital that follows a small letter, whatever the letters', () => {
    const small = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
      minLength: 3,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(small, { minLength: 1, maxLength: 3 }), (humps) => {
        const name = humps
          .map((hump, n) => (n === 0 ? hump : `${hump.charAt(0).toUpperCase()}${hump.slice(1)}`))
          .join('');
        const whole = humps.join('');
        const parts = humps.length === 1 ? [] : humps.map(stem);
        assert.deepEqual(wordsOf(name, 2), [
          { whole, stem: stem(whole), parts, written: name.toLowerCase() },
        ]);
      }),
    );
  });

  it('are at most 40 letters of a run, which is read for 200', () => {
    const run = fc.string({ unit: fc.constantFrom(...'abcd'), minLength: 199, maxLength: 199 });
    fc.assert(
      fc.property(run, (letters) => {
        const parts = [letters.slice(0, 40), 'b'];
        assert.deepEqual(wordsOf(`${letters}Bcd`, 5)[0]?.parts, parts);
        assert.deepEqual(wordsOf(`${letters}aBcd`, 5)[0]?.parts, []);
      }),
      { numRuns: 5 },
    );
    assert.equal(nameTerm('a'.repeat(41)), `=${'a'.repeat(40)}`);
    assert.equal(nameTerm(`a${'\u{10330}'.repeat(20)}`), `=a${'\u{10330}'.repeat(19)}`);
    assert.equal(nameTerm(`${'!'.repeat(199)}ab`), '=a');
  });

  it('are no more than were asked for', () => {
    const counts = (text: string, max: number) => wordsOf(text, max).map(({ whole }) => whole);
    assert.deepEqual(counts('a b c', 2), ['a', 'b']);
    assert.deepEqual(counts('東京の天気', 2), ['東京', '京の']);
    assert.deepEqual(counts('AWSのアカ15日', 2), ['aws', 'のア']);
    assert.deepEqual(counts('AWSのアカ15日', 4), ['aws', 'のア', 'アカ', '15']);
    assert.deepEqual(counts('a b', 0), []);
  });

  it('are read from the first 20,000 characters, as they are given and as they are written out', () => {
    assert.deepEqual(wholes(`${' '.repeat(19_999)}ab`), ['a']);
    assert.deepEqual(wholes(`${'\u00ad'.repeat(20_000)}ab`), [], 'soft hyphens count');
    const long = wordsOf(`${'㌖'.repeat(3_333)} ab`, 20_000);
    assert.equal(long.at(-1)?.whole, 'a', 'each character is six when written out');
  });

  it('are none where no letter is left', () => {
    assert.deepEqual(wholes('ـ ab ـ'), ['ab']);
    assert.equal(nameTerm('ـ'), undefined);
    assert.equal(nameTerm('العربية'), '=عربيه', 'without its article');
  });

  it('are pairs in a script without spaces, and one character where it stands alone', () => {
    assert.deepEqual(wholes('東 東京 東京都'), ['東', '東京', '東京', '京都']);
  });

  it('are stop words when they say nothing by themselves', () => {
    assert.deepEqual(['the', 'a', 'your', 'with'].map(isStopWord), Array(4).fill(true));
    assert.deepEqual(['', 'plan', 'The', 'the a'].map(isStopWord), Array(4).fill(false));
  });

  it('make one name of every spelling', () => {
    const names = ['create_issue', 'createIssue', 'Create issue', 'CREATE-ISSUE'];
    assert.deepEqual([...new Set(names.map(nameTerm))], ['=createissue']);
    assert.equal(nameTerm('!?'), undefined);
    assert.equal(nameTerm('Żółw'), nameTerm('zolw'));
    assert.equal(nameTerm('٠٣٩ ۰۳۹ ०३९'), '=039039039');
    assert.equal(nameTerm(`क${'ि'.repeat(12)}`), `=क${'ि'.repeat(8)}`);
  });

  it('are bounded and well formed, whatever the text', () => {
    const check = (text: string): void => {
      const words = wordsOf(text, 50);
      assert.ok(words.length <= 50);
      for (const { whole, stem: cut, parts } of words) {
        assert.ok(whole.length <= 40 && whole.startsWith(cut) && cut !== '');
        for (const form of [whole, cut, ...parts]) {
          assert.match(form, /^[\p{L}\p{N}\p{M}]+$/u, JSON.stringify(text));
        }
      }
    };
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), check));
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), check));
    // A letter of two units on both sides of the place where a word is cut.
    check(`a${'\u{10330}'.repeat(40)}`);
    check(`${'\u{10330}'.repeat(40)}`);
  });

  it('take time that grows with the text alone', () => {
    const unit = 20_000;
    const texts = [
      `a${'\u0300\u0316'.repeat(unit / 2)}`,
      `a${'\u0345'.repeat(unit / 2)}${'\u0300'.repeat(unit / 4)}${'\u0316'.repeat(unit / 4)}`,
      '\ufdfa'.repeat(unit),
      '\u3316'.repeat(unit),
      'aA'.repeat(unit / 2),
      'a猫'.repeat(unit / 2),
    ];
    for (const [n, text] of texts.entries()) {
      const spent = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        wordsOf(text, 8_192);
        nameTerm(text);
        return process.cpuUsage(before).user / 1000;
      });
      assert.ok(Math.min(...spent) < 20, `text ${n}: ${spent.join(', ')} ms`);
    }
  });
});
