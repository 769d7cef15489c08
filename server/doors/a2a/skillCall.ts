import { a2aSkills } from '../../../generated/doors.ts';
import { operationTable, type OperationId } from '../../../generated/operations.ts';
import { offersLine } from '../../../workflows/kernel/offers.ts';
import type { OperationSpec } from '../../../workflows/kernel/operation.ts';
import type { Settings } from '../../../workflows/kernel/settings.ts';
import type { Arguments } from '../arguments.ts';
import { operationOfTool } from '../toolNames.ts';
import { isObject } from '../../../domain/jsonObject.ts';
import { readJsonText } from '../../middleware/json.ts';
import { refuseParams } from './errors.ts';
import { head } from '../../../domain/text.ts';

/** The request of a message: one skill, which is one operation, and its input. */
export interface SkillCall {
  readonly skill: string;
  readonly spec: OperationSpec;
  readonly arguments: Arguments;
}

/** Text that asks for nothing by the grammar: a greeting, or a wish in words. */
export interface FreeText {
  readonly free: true;
}

/** The answer to such a text, because people and models open a conversation that way. */
export const welcome = (settings: Settings): string =>
  `Words alone run nothing here; each skill is called by its name. To call one, send ${CALL_FORMS}
For example: list-tasks {"limit": 5}
Skills: ${SKILLS.join(', ')}.
Every tool of the MCP door is called the same way by its name. The agent card describes the skills and how to sign; earning begins with claim-task {"wait": 30}, hiring with publish-task.
Also here: ${offersLine(settings, 'a2a')}.`;

/** The one part of a message that is read, whatever the version spells it like. */
export type GivenPart =
  | { readonly kind: 'data'; readonly data: unknown; readonly at: string }
  | { readonly kind: 'text'; readonly text: string; readonly at: string };

/** The grammar, in the words of the card and of every refusal of a message that breaks it. */
const CALL_FORMS =
  'data {"skill": NAME, "arguments": OBJECT}; or text NAME, or NAME and a JSON object after a space; or, with metadata.skillId NAME, data or text that is the arguments alone.';
export const GRAMMAR = `One part a message: ${CALL_FORMS}`;

const SKILLS: readonly string[] = Object.keys(a2aSkills);
const SHOWN_MAX = 80;

/**
 * @param named The skill that metadata names; the part is then its arguments alone.
 * @throws A2aError -32602, which lists the skills when none has this name.
 */
export async function readSkillCall(
  part: GivenPart,
  named: string | undefined,
): Promise<SkillCall | FreeText> {
  if (named === undefined && part.kind === 'text' && isFree(part.text)) return { free: true };
  return callOf(await readAsk(part, named));
}

/** No JSON object, no skill alone, and no skill with JSON after it. */
function isFree(text: string): boolean {
  const [name = '', ...rest] = text.trim().split(/\s+/);
  if (name.startsWith('{')) return false;
  return operationOf(name) === undefined || !/^[[{]|^$/.test(rest.join(' '));
}

/** The name of a skill and its input, before it is known whether the skill exists. */
export interface Ask {
  readonly skill: string;
  readonly skillAt: string;
  readonly given: unknown;
  readonly givenAt: string;
}

/** Reads a part by the grammar, for the skills of any account. */
export async function readAsk(part: GivenPart, named: string | undefined): Promise<Ask> {
  if (named !== undefined) {
    return askOf(named, 'metadata.skillId', await argumentsAlone(part), part.at);
  }
  if (part.kind === 'data') return readNamed(part.data, part.at);
  const text = part.text.trim();
  if (text.startsWith('{')) return readNamed(await jsonIn(text, part.at), part.at);
  const cut = text.search(/\s/);
  const skill = cut < 0 ? text : text.slice(0, cut);
  const rest = cut < 0 ? '' : text.slice(cut).trim();
  return askOf(skill, part.at, rest === '' ? {} : await jsonIn(rest, part.at), part.at);
}

function askOf(skill: string, skillAt: string, given: unknown, givenAt: string): Ask {
  return { skill, skillAt, given, givenAt };
}

function readNamed(value: unknown, at: string): Ask {
  if (!isObject(value)) return refuseParams(at, 'must be an object', { hint: GRAMMAR });
  const { skill, arguments: given = {}, ...others } = value;
  const [strange] = Object.keys(others);
  if (typeof skill !== 'string') {
    return refuseParams(`${at}.skill`, 'must name a skill', { hint: GRAMMAR, skills: SKILLS });
  }
  if (strange !== undefined) {
    const field = `${at}.${head(strange, SHOWN_MAX)}`;
    return refuseParams(field, 'belongs into arguments', { hint: GRAMMAR });
  }
  return askOf(skill, `${at}.skill`, given, `${at}.arguments`);
}

async function argumentsAlone(part: GivenPart): Promise<unknown> {
  if (part.kind === 'data') return part.data;
  return part.text.trim() === '' ? {} : jsonIn(part.text, part.at);
}

function callOf({ skill, skillAt, given, givenAt }: Ask): SkillCall {
  const operation = operationOf(skill, given);
  if (operation === undefined) {
    const shown = JSON.stringify(head(skill, SHOWN_MAX));
    return refuseParams(skillAt, `names no skill: ${shown}`, { hint: GRAMMAR, skills: SKILLS });
  }
  if (!isObject(given)) return refuseParams(givenAt, 'must be an object', { hint: GRAMMAR });
  return { skill, spec: operationTable[operation], arguments: given };
}

/** The card shows the skills of the interface; each MCP tool can be called by its name as well. */
function operationOf(skill: string, given?: unknown): OperationId | undefined {
  if (Object.hasOwn(a2aSkills, skill)) return a2aSkills[skill];
  return operationOfTool(skill, given);
}

async function jsonIn(text: string, at: string): Promise<unknown> {
  const parsed = await readJsonText(text);
  if (parsed.ok) return parsed.value;
  return refuseParams(at, `is no JSON: ${parsed.why}`, { hint: GRAMMAR, skills: SKILLS });
}
