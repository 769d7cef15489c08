import { ANALYSER } from '../analysis/words.ts';
import { sha256Hex } from '../digest.ts';
import type { Kind } from './plan.ts';
import { weightsOf, type Weighed } from './termWeight.ts';

/** The searched parts of a listing, a task or a comment, and the weight of each. */
export interface Document {
  readonly kind: Kind;
  readonly ref: string;
  /** Place of a skill in its listing; 0 for everything else. */
  readonly part: number;
  /** The same for the same text and analyser; a document that did not change is not written again. */
  readonly digest: string;
  readonly weights: ReadonlyMap<string, number>;
  readonly standing: Standing;
}

/** The properties beside its text that decide the rank of a hit. */
export interface Standing {
  /** False for a listing that did not answer when it was last looked at. */
  readonly answers: boolean;
  /** The karma of a listing; 0 for everything else. */
  readonly karma: number;
  readonly reach: number;
}

export interface ListingText {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly host: string;
  readonly skills: readonly SkillText[];
  readonly standing: Standing;
}
export interface SkillText {
  readonly place: number;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
}

const NAME = { worth: 8, usual: 3, wordsMax: 30, isName: true };
const HOST = { worth: 4, usual: 3, wordsMax: 12 };
const TAGS = { worth: 4, usual: 5, wordsMax: 60 };
const SKILL_NAMES = { worth: 5, usual: 20, wordsMax: 400 };
const TEXT = { worth: 2.5, usual: 20, wordsMax: 300 };
const SKILL_TEXTS = { worth: 1.2, usual: 60, wordsMax: 400 };
/** Weighs the name of the listing in the documents of its skills. */
const CONTEXT = { worth: 1.5, usual: 3, wordsMax: 12 };
const TITLE = { worth: 6, usual: 6, wordsMax: 60, isName: true };
/** Skills of a listing that are found by themselves, and words of each that stand for it. */
const SKILLS_MAX = 1000;
const NAMES_MAX = 100;
const SKILL_WORDS_MAX = 12;
/** Raised by a change of the terms of other languages; a migration then queues all documents. */
const LANGUAGES = 1;
/** Hex digits of a digest: as many as a number holds exactly. */
const DIGEST_LENGTH = 13;
/** The standing of everything but a listing. */
const PLAIN: Standing = { answers: true, karma: 0, reach: 0 };

export function listingDocuments(listing: ListingText): readonly Document[] {
  const { id, name, description, host } = listing;
  const skills = listing.skills.slice(0, SKILLS_MAX);
  const all = (part: (skill: SkillText) => string): string => skills.map(part).join(' \n');
  const agent = documentOf('agent', id, 0, {
    name,
    partNames: skills.slice(0, NAMES_MAX).map((skill) => skill.name),
    fields: [
      { text: name, ...NAME },
      { text: hostWords(host), ...HOST },
      { text: description, ...TEXT },
      { text: all((skill) => skill.name), ...SKILL_NAMES },
      { text: all(({ tags }) => tags.join(' ')), ...TAGS },
      { text: all(firstWords), ...SKILL_TEXTS },
    ],
  });
  return [
    { ...agent, standing: listing.standing },
    ...skills.map((skill) => skillDocument(listing, skill)),
  ];
}

function skillDocument({ id, name, host }: ListingText, skill: SkillText): Document {
  return documentOf('skill', id, skill.place, {
    name: skill.name,
    fields: [
      { text: skill.name, ...NAME },
      { text: skill.tags.join(' '), ...TAGS },
      { text: skill.description, ...TEXT },
      { text: `${name} ${hostWords(host)}`, ...CONTEXT },
    ],
  });
}

/** A server that is a package alone: it never answers, so it stands behind what does. */
export function packageDocument(given: {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly identifier: string;
}): Document {
  const { id, name, title, description, identifier } = given;
  const document = documentOf('agent', id, 0, {
    name: title,
    partNames: [name, identifier],
    fields: [
      { text: title, ...NAME },
      { text: `${name} ${identifier}`, ...HOST },
      { text: description, ...TEXT },
    ],
  });
  return { ...document, standing: { ...PLAIN, answers: false } };
}

export function taskDocument(task: {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly labels: readonly string[];
}): Document {
  return documentOf('task', task.id, 0, {
    name: task.title,
    fields: [
      { text: task.title, ...TITLE },
      { text: task.labels.join(' '), ...TAGS },
      { text: task.description, ...TEXT },
    ],
  });
}

export function commentDocument(id: string, body: string): Document {
  return documentOf('comment', id, 0, { fields: [{ text: body, ...TEXT }] });
}

function documentOf(kind: Kind, ref: string, part: number, text: Weighed): Document {
  const digest = sha256Hex(JSON.stringify([ANALYSER, LANGUAGES, text])).slice(0, DIGEST_LENGTH);
  return { kind, ref, part, digest, weights: weightsOf(text), standing: PLAIN };
}

/** The labels of a host that say something: without its port, its ending, `www` and the like. */
function hostWords(host: string): string {
  const labels = host.replace(/:\d+$/, '').split('.').slice(0, -1);
  return labels.filter((label) => !['www', 'api', 'mcp', 'a2a', 'agent'].includes(label)).join(' ');
}

function firstWords({ description }: SkillText): string {
  return description.split(/\s+/, SKILL_WORDS_MAX).join(' ');
}
