import { addressingPhrases } from '../injection/detect.ts';

/**
 * The description of a server for people (choices registry.descriptions): the one that it
 * publishes, else the first sentence of its instructions that is not meant for a model.
 */
const SENTENCES_MAX = 40;
const LETTERS_MIN = 12;
const LETTERS_MAX = 400;

/** Words with which texts for a model begin: orders, conditions and roles. */
const ORDERS = new Set(
  (
    'you your always never must should do dont use call invoke prefer avoid ensure make remember ' +
    'important note warning critical rules rule guidelines when if before after first then next ' +
    'once while unless follow respond reply answer ask return treat assume act think start ' +
    'begin step steps please only instructions instruction tool tools system assistant agent let ' +
    'set pass keep include provide check verify read write run execute try stop wait confirm ' +
    'workflow example examples usage key'
  ).split(' '),
);
/** The same in German, French, Spanish, Italian, Portuguese and Russian. */
const ORDERS_ELSEWHERE = new Set(
  (
    'rufe rufen verwende verwenden nutze nutzen benutze benutzen du immer bitte wenn falls zuerst ' +
    'antworte appelle appelez utilise utilisez toujours tu vous si quand réponds répondez llama ' +
    'llame utilice siempre cuando responde eres chama chame utilize sempre quando você chiama ' +
    'usa sei rispondi вызывай вызывайте используй используйте всегда ты вы если отвечай'
  ).split(' '),
);
const ABOUT_MODEL_ELSEWHERE =
  /(?:^|[^\p{L}])(?:diese[sn]? (?:werkzeug|tool)|der (?:nutzer|benutzer|anwender)|cet outil|l'utilisateur|esta herramienta|el usuario|esta ferramenta|o usuário|questo strumento|l'utente|этот инструмент|пользовател\p{L}+)(?=$|[^\p{L}])/iu;
const ABOUT_MODEL =
  /\b(?:the user|user's|users? asks?|the model|assistant|llms?|language model|your (?:task|job|role|answer|response)|you (?:must|should|can|may|have to|are)|tool calls?|call (?:this|the|these)|do not|don't|must not|must be|instead of)\b/i;

export function readerDescription(
  description: string | undefined,
  instructions: string | undefined,
): string | undefined {
  const own = description?.trim();
  if (own !== undefined && own !== '' && addressingPhrases(own).length === 0) return own;
  return sentenceIn(own) ?? sentenceIn(instructions);
}

function sentenceIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return sentencesOf(text).find(isForPeople);
}

/** Headings, list marks and code are no sentences. */
function sentencesOf(text: string): readonly string[] {
  const prose = text
    .slice(0, 4_000)
    .replace(/```[\s\S]{0,4000}?```/gu, '\n')
    .split(/\n+/u)
    .filter((line) => !/^\s*(?:#|[-*+•>|]|\d+[.)]\s|<[a-z/!])/iu.test(line));
  return prose
    .flatMap((line) => line.split(/(?<=[.!?。！？])\s+|(?<=[。！？])/u))
    .map((sentence) => sentence.trim())
    .slice(0, SENTENCES_MAX);
}

function isForPeople(sentence: string): boolean {
  if (sentence.length < LETTERS_MIN || sentence.length > LETTERS_MAX) return false;
  const [first = ''] = sentence.toLowerCase().match(/[\p{L}\p{M}']+/u) ?? [];
  if (ORDERS.has(first.replaceAll("'", '')) || ORDERS_ELSEWHERE.has(first)) return false;
  // Capitals alone, a colon at the end or marks of a prompt are a heading or an order.
  if (/:$/u.test(sentence) || /^[^\p{Ll}]+$/u.test(sentence.replace(/[。！？]/gu, 'a')))
    return false;
  if (ABOUT_MODEL.test(sentence) || ABOUT_MODEL_ELSEWHERE.test(sentence)) return false;
  return addressingPhrases(sentence).length === 0;
}
