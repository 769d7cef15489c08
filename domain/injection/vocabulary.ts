import { folded } from './tokens.ts';

/** The classes of words in patterns, in the corpus's languages; a final `*` matches any ending. */
const CLASSES = {
  FORGET:
    'ignore ignoring disregard disregarding forget override overrule bypass neglect discard erase ' +
    'ignoriere ignorieren vergiss vergesst missachte missachten ignorez oublie oubliez ignora ' +
    'ignorad olvida olvide olvidad esqueca esquece desconsidere dimentica dimenticate игнорируй ' +
    'игнорируйте забудь забудьте negeer vergeet zignoruj ignoruj zapomnij umgehe umgeht ' +
    'überschreibe contourne contournez outrepasse ignore omite omitid omita contorne aggira ' +
    'ignori обойди обойдите отбрось omzeil pomiń obejdź',
  PRIOR:
    'previous prior above earlier preceding former foregoing existing original initial before ' +
    'vorherige* vorige* bisherige* obige* frühere* précédent* antérieur* anterior* previas ' +
    'previos previa prévias prévio precedent* предыдущ* прежни* прошл* eerdere poprzedni* ' +
    'wcześniejsz*',
  OWN:
    'your you system safety content developer operator hidden dein* ihre système sistema tes ton ' +
    'vos votre tus tu sus seus suas teus tuoi tue twoje jouw ваши твои свои своих',
  ALL: 'all every each any alle alles tous toutes tout todas todos todo tutte tutti tutto все всё весь wszystkie',
  EVERYTHING: 'everything alles tout todo tudo tutto все всё wszystko',
  RULES:
    'instruction* prompt* guideline* directive* rule* direction* polic* restriction* command* ' +
    'orders filters anweisung* systemanweisung* regel* richtlinie* consigne* règle* instruccion* ' +
    'regla* instruç* regra* istruzion* regol* инструкци* правил* указани* instructies instrukcj*',
  INSTRUCTIONS:
    'instruction* prompt prompts guidelines directive* anweisung* consignes instruccion* ' +
    'instruções istruzioni инструкци* instructies instrukcj*',
  VOID: 'void replaced obsolete invalid cancelled canceled superseded apply test outdated revoked',
  NOT: 'not don never no nicht niemals ne nunca não nao non не niet nie without cannot stop',
  FOLLOW: 'follow following obey obeying comply folge suivez sigue siga segui следуй',
  YOU: 'you assistant agent agents model models ai llm llms chatbot',
  MODEL: 'assistant assistants agent agents model ai ais llm llms chatbot',
  MUST: 'must should shall required need needs have has',
  CALL: 'call run invoke use execute trigger load open',
  TOOL: 'tool tools server servers agent agents provider providers vendor vendors service services',
  THING: 'tool agent server service skill listing one provider',
  OTHER: 'other another others competing competitor competitors alternative rival',
  TELL:
    'tell inform mention reveal disclose notify show say telling informing mentioning notifying ' +
    'asking letting sage sag sagt verrate dis dites dire diga digas dígale conte conta diga informe ' +
    'говори говорите сообщай сообщайте zeg vertel mów powiedz',
  PERSON:
    'user users human humans owner owners operator operators person people customer anyone anybody ' +
    'benutzer* nutzer* utilisateur usuario usuário utente пользовател* gebruiker użytkownik*',
  HIDE: 'hide conceal keep withhold',
  CONFIRM: 'confirmation confirmations permission approval consent asking reviewing checking',
  SEND:
    'send forward upload post paste attach collect exfiltrate leak copy share email give tell ' +
    'reveal encode submit transmit sende schicke envoyez envoie envía envie enviar invia ' +
    'отправь отправьте пришли',
  PUT: 'include includes including provide pass put place add contain contains write append insert',
  SECRET:
    'password passwords credential credentials secret secrets cookies mnemonic mnemonics env ' +
    'passphrase keychain keystore',
  KEYED: 'api access private secret ssh auth session',
  KEYS: 'key keys token tokens',
  PAY:
    'send transfer pay wire donate donation deposit withdraw tip remit overweise überweise ' +
    'transférez transfiere transfira trasferisci переведи переведите отправь',
  MONEY:
    'usdc usdt usd eth btc sol dollars dollar euros tokens funds money balance budget wallet ' +
    'guthaben solde saldo баланс средства cards',
  WHOLE: 'all entire whole remaining everything unlimited gesamt* tout* todo весь все',
  OUR: 'our my unsere* notre nuestra nuestro nossa nossas наш нашу',
  ADDRESS: 'wallet address account contract portefeuille cartera carteira кошел* кошёлек кошелёк',
  EVERY: 'every each all any',
  SHOW:
    'show print reveal output repeat display zeig zeige montre montrez affiche muestra muestrame ' +
    'revela mostre mostra mostrami покажи покажите выведи раскрой расскажи назови повтори pokaż toon ' +
    'gib wiederhole répète repite repita ripeti verrate nenn nenne dis dites donne révèle affichez dime dame enséñame diga conte dimmi ' +
    'rivela скажи powiedz wyświetl zeg',
  YOURS:
    'your dein* ihre* ton tes votre vos tu tus su sus seu seus sua suas teu teus tuo tuoi tua tue ' +
    'твой твои твою твоя свой свои свою ваш ваши twój twoje twoją je jouw',
  SYSTEM: 'system système systeme sistema системн* systemow* systeem*',
  PROMPT: 'prompt prompts message nachricht mensaje mensagem messaggio подсказк* промпт*',
  SYSTEM_PROMPT: 'systemprompt* systemnachricht* systemanweisung* systeemprompt*',
  FIRST_GIVEN:
    'original* initial* ursprünglich* inicial* iniziali изначальн* первоначальн* pierwotn*',
  ENTER:
    'enter activate enable switch aktiviere aktivier wechsle wechsel aktiviert active activez passe ' +
    'passez activa activad entra ative entre attiva включи активируй перейди włącz aktywuj activeer',
  MODE: 'mode modus modo modalità режим tryb',
  UNBOUND:
    'dan god jailbreak jailbroken unrestricted unfiltered uncensored uneingeschränkt* unbeschränkt* ' +
    'ungefiltert* entwicklermodus développeur desarrollador desenvolvedor sviluppatore ' +
    'разработчика filtros filtres filtri ограничений restricciones restrictions restrições',
  DISABLE:
    'disable deactivate deaktiviere deaktivier schalte désactive désactivez desactiva desative ' +
    'disattiva отключи отключите выключи сними wyłącz schakel',
  SAFEGUARD:
    'restriction* guardrail* sicherheits* beschränkung* einschränkung* schutzmaßnahm* ' +
    'restriccion* restriç* restrizion* ограничени* ogranicze* beperking*',
  FILTER: 'filter filters filtr* фильтр* zensur censur* цензур*',
  REPLY: 'reply answer response request message conversation session replies answers responses',
} as const;

export type WordClass = keyof typeof CLASSES;

export interface Vocabulary {
  readonly exact: ReadonlyMap<string, readonly string[]>;
  readonly stems: ReadonlyMap<string, readonly string[]>;
}
const STEM_LENGTH_MAX = 16;

export function isWordClass(name: string): name is WordClass {
  return name in CLASSES;
}

/** The classes, and the single words that patterns name. */
export function vocabularyOf(literals: Iterable<string>): Vocabulary {
  const exact = new Map<string, string[]>();
  const stems = new Map<string, string[]>();
  const add = (word: string, symbol: string): void => {
    const isStem = word.endsWith('*');
    const map = isStem ? stems : exact;
    const key = folded(isStem ? word.slice(0, -1) : word);
    const known = map.get(key) ?? [];
    if (!known.includes(symbol)) map.set(key, [...known, symbol]);
  };
  for (const [name, words] of Object.entries(CLASSES)) {
    for (const word of words.split(' ')) add(word, name);
  }
  for (const word of literals) add(word, word);
  return { exact, stems };
}

/** Everything that a word stands for; empty for most words. */
export function symbolsOf({ exact, stems }: Vocabulary, word: string): readonly string[] {
  const found = [...(exact.get(word) ?? [])];
  for (let length = 3; length <= Math.min(word.length, STEM_LENGTH_MAX); length += 1) {
    found.push(...(stems.get(word.slice(0, length)) ?? []));
  }
  return found;
}
