import { type JsonObject, isObject, listOf } from '../jsonObject.ts';
import { leadsReading, strangeWord } from './readingNames.ts';

/**
 * Which tools the hub calls by itself to see what they answer (interface, verify; choices
 * registry.tools). A tool is called only when something positive speaks for it: it declares
 * `readOnlyHint: true`, or every word of its name is known to read only. The write verbs below
 * decide nothing alone: they take a tool away whose name contradicts its hint.
 */
/** Words that stand for a change somewhere, wherever they are in a name. */
const WRITE_VERBS: ReadonlySet<string> = new Set(
  (
    'accept add allocate approve archive assign authorize ban burn buy cancel change ' +
    'clear commit create deactivate delete deploy deposit destroy disable disconnect ' +
    'dispatch drop edit emit empty enable erase eval evict exec execute finalize fire flush ' +
    'follow grant hire import inject insert install invite invoke kill launch login logout ' +
    'merge migrate mint modify move mutate mute navigate notify open overwrite patch pause pay ' +
    'provision publish purge push put reboot rebase rebuild recover redeem refund register ' +
    'reject remove rename renew replace reply reserve reset restart restore resume retry ' +
    'revert revoke rotate save sell send set settle shutdown sign signup spawn spend start ' +
    'stop submit subscribe swap sync terminate transfer trigger truncate tweet unban ' +
    'unfollow uninstall unlock unsubscribe update upgrade upload upsert vote wipe withdraw write'
  ).split(' '),
);

/** Words that are deeds where a name begins with them or a conjunction is before them, else things. */
const WRITE_VERBS_OR_THINGS: ReadonlySet<string> = new Set(
  (
    'allow apply attach bid block book call charge checkout claim click close complete confirm ' +
    'connect copy email fill format forward fund issue like lock mark order place post press ' +
    'print purchase record release reload request resolve run schedule share ship sms stake ' +
    'store tip trade train type'
  ).split(' '),
);
const CONJUNCTIONS: ReadonlySet<string> = new Set(['and', 'or', 'then', 'to', 'n']);
const SCHEMA_WORDS = ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'if'];

/** Why the hub never calls the tool by itself; undefined when it may. */
export function whyNotCalled(
  name: string,
  tool: JsonObject,
  schema: JsonObject | undefined,
): string | undefined {
  const words = wordsOf(name);
  const strange = strangeWord(words);
  const verb = strange === undefined ? undefined : words.find(isWriteVerb);
  if (verb !== undefined) return `Its name has the write verb "${verb}".`;
  if (schema === undefined) return 'It publishes no input schema, so its arguments are unknown.';
  const required = listOf(schema['required']).filter((each) => typeof each === 'string');
  if (required.length > 0) return `It requires ${required.length} argument(s).`;
  if (SCHEMA_WORDS.some((word) => word in schema)) {
    return 'Its schema may require arguments in more than one way.';
  }
  const hints = isObject(tool['annotations']) ? tool['annotations'] : {};
  if (hints['destructiveHint'] === true) return 'It says that it is destructive.';
  const { execution } = tool;
  if (isObject(execution) && execution['taskSupport'] === 'required') {
    return 'It runs as a task only.';
  }
  if (hints['readOnlyHint'] === true) return undefined;
  if (hints['readOnlyHint'] === false) return 'It says that it changes something.';
  if (strange !== undefined) {
    return leadsReading(words[0] ?? '')
      ? `The hub does not know the word "${strange}" of its name, and it does not declare readOnlyHint: true.`
      : 'No reading verb leads its name, and it does not declare readOnlyHint: true.';
  }
  // A word that cannot be read could be the one that writes.
  const isReadable = /^[\x20-\x7e]*$/.test(name);
  return isReadable ? undefined : 'Its name has letters that the rule for verbs cannot read.';
}

function isWriteVerb(word: string, at: number, words: readonly string[]): boolean {
  if (WRITE_VERBS.has(word)) return true;
  const isDeed = !leadsReading(words[0] ?? '') || CONJUNCTIONS.has(words[at - 1] ?? '');
  return isDeed && WRITE_VERBS_OR_THINGS.has(word);
}

/** The words of a name in small letters; names in camelCase are taken apart. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}
