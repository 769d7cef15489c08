import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import anyAscii from 'any-ascii';
import { foldedWord, isPaired } from './words.ts';

/**
 * Stems of languages other than English (choices search.languages), by the stemmers of Snowball.
 * The writing decides which of them read a word; Latin letters alone do not, so a text is read by
 * the languages whose commonest words it has, and a query by all.
 */
export type Language = keyof typeof LATIN | 'russian';

const LATIN = {
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  swedish,
  danish,
  norwegian,
  finnish,
  hungarian,
  romanian,
  turkish,
} as const;
export const LATIN_LANGUAGES = Object.keys(LATIN) as readonly (keyof typeof LATIN)[];

type Stemmer = (word: string) => string;
const SCRIPTS: readonly (readonly [RegExp, readonly Stemmer[]])[] = [
  [/^\p{Script=Cyrillic}+$/u, [russian, ukrainian]],
  [/^\p{Script=Greek}+$/u, [greek]],
  [/^\p{Script=Arabic}+$/u, [arabic]],
];
const ROMANISED = /^(?:\p{Script=Cyrillic}+|\p{Script=Greek}+|[\p{scx=Katakana}]{3,})$/u;
const IS_LATIN = /^\p{Script=Latin}[\p{Script=Latin}\p{M}]*$/u;

/** The commonest words of a language that are no English words. */
const COMMON: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    german:
      'der das und für mit von ein eine einen einem einer zu zum zur ist im auf nicht ich mein meine meinen wie wo dem den des wird sind aus bei oder über nach ihre alle werden welche wann kann',
    french:
      'le la les des du un une et pour dans avec sur est mon ma mes ce que qui quel quelle comment au aux je vous votre vos par ou sont en ton nos leur leurs toutes tous',
    spanish:
      'el la los las del un una y para con por que en mi mis es qué cómo cuál dónde al sus se su lo más como quiero entre desde tus todos',
    italian:
      'il lo la gli le di del della delle dei un una e per con che in su mio mia miei è come dove quale nel nella sono al alla da degli tua tutti',
    portuguese:
      'o os as do da dos das um uma e para com por que em no na meu minha meus é como onde qual ao seu sua nos nas são mais pelo pela todos',
    dutch: 'de het een en van voor met op is mijn niet wat hoe waar aan uit bij zijn naar deze',
    swedish: 'och för att med ett en är på av min det som inte till från hur var den',
    danish: 'og for at med et en er på af min det som ikke til fra hvordan hvor den',
    norwegian: 'og for å med et en er på av min det som ikke til fra hvordan hvor den',
    finnish: 'ja on ei se että minun kuin mitä missä tai mutta ovat oma kaikki',
    hungarian: 'és a az egy hogy nem van mi hol vagy meg ez ki minden',
    romanian: 'și de la în cu pe un o pentru este ce unde cum sau din care mai',
    turkish: 've bir bu için ile ne nasıl nerede mi de da en çok benim olan',
    russian:
      'и в на по для с из о об как мой мне моя мои что где это не к от до или за у при под есть какой какие',
  }).map(([language, words]) => [language, words.split(' ').map(foldedWord)]),
);
const LANGUAGES_BY_WORD = new Map<string, readonly string[]>();
for (const [language, words] of Object.entries(COMMON)) {
  for (const word of words) {
    LANGUAGES_BY_WORD.set(word, [...(LANGUAGES_BY_WORD.get(word) ?? []), language]);
  }
}

/** The languages in which a word is one of the commonest. */
export function commonIn(whole: string): readonly string[] {
  return LANGUAGES_BY_WORD.get(whole) ?? [];
}

/** Fewer of the commonest words may stand in a text of another language. */
const COMMON_MIN = 2;

/** Languages in Latin letters that a text may be written in; none for English. */
export function languagesIn(wholes: readonly string[]): readonly Language[] {
  const counts = new Map<string, number>();
  for (const whole of new Set(wholes)) {
    for (const language of commonIn(whole)) {
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  const most = Math.max(COMMON_MIN, ...counts.values());
  return LATIN_LANGUAGES.filter((language) => (counts.get(language) ?? 0) * 2 >= most).filter(
    (language) => (counts.get(language) ?? 0) >= COMMON_MIN,
  );
}

/** The stem of a word in a language, in the letters of the index. */
export function stemIn(language: Language, written: string): string {
  return foldedWord(language === 'russian' ? russian(written) : LATIN[language](written));
}

/** A longer run of letters is no word, and costs a stemmer much. */
export const STEMMED_LENGTH_MAX = 40;
const LETTERS_AND_DIGITS = /^(\p{L}{2,})(\p{N}+)$|^(\p{N}+)(\p{L}{2,})$/u;

/** Other terms of a word: stems, Latin letters for those of another writing, letters of `gpt4`. */
export function formsOf(written: string, languages: readonly Language[]): readonly string[] {
  if (written === '' || written.length > STEMMED_LENGTH_MAX) return [];
  const forms = new Set<string>();
  if (ROMANISED.test(written))
    forms.add(foldedWord(anyAscii(written).replace(/[^\p{L}\p{N}]/gu, '')));
  if (!isPaired(written)) {
    if (IS_LATIN.test(written)) for (const each of languages) forms.add(stemIn(each, written));
    const script = SCRIPTS.find(([pattern]) => pattern.test(written));
    for (const stemmer of script?.[1] ?? []) forms.add(foldedWord(stemmer(written)));
    for (const part of LETTERS_AND_DIGITS.exec(written)?.slice(1) ?? []) {
      if (part !== undefined && part.length > 1) forms.add(foldedWord(part));
    }
  }
  forms.delete('');
  forms.delete(foldedWord(written));
  return [...forms];
}
