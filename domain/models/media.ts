import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import { isMedia, KIND_OF } from './mediaPart.ts';
import type { Offer } from './offer.ts';
import type { Prompt, PromptFault } from './prompt.ts';

/** An image is fetched by the provider, or comes along; a file only comes along. */
const IMAGE = /^(https:\/\/|data:image\/[a-z0-9.+-]+;base64,)/i;
const FILE = /^data:[a-z]+\/[a-z0-9.+-]+;base64,/i;

/** The most tokens that the images and files of a prompt become. */
export function mediaTokens({ messages }: Prompt, { reads }: Offer): number {
  return messages
    .flatMap(({ content }) => listOf(content).filter(isObject).filter(isMedia))
    .reduce((sum, { type }) => sum + (reads[KIND_OF[String(type)] ?? 'image'] ?? 0), 0);
}

/** The first image or file that the model does not read, or that is none. */
export function mediaFault({ messages }: Prompt, offer: Offer): PromptFault | undefined {
  for (const [index, { content, role }] of messages.entries()) {
    for (const [nth, part] of listOf(content).entries()) {
      if (!isObject(part) || !isMedia(part)) continue;
      const fault = faultOf(part, offer, `body.messages[${index}].content[${nth}]`);
      if (fault !== undefined) return fault;
      if (role === 'user') continue;
      const field = `body.messages[${index}].content[${nth}]`;
      const error = `${field} is an image or a file in a message that is not the user's.`;
      return { error, hint: 'Put it into a message of the role user.', field };
    }
  }
  return undefined;
}

function faultOf(part: JsonObject, { id, reads }: Offer, at: string): PromptFault | undefined {
  const kind = KIND_OF[String(part['type'])] ?? 'image';
  if (reads[kind] === undefined) {
    const hint = `\`reads\` of each model at GET /api/v1/models names what it takes beside text.`;
    return { error: `${id} takes no ${kind} (${at}).`, hint, field: at };
  }
  const [member, form] =
    kind === 'image' ? (['image_url', IMAGE] as const) : (['file', FILE] as const);
  const held = part[member];
  const { url, file_data: data } = isObject(held) ? held : {};
  const given = kind === 'image' ? url : data;
  if (typeof given === 'string' && form.test(given)) return undefined;
  const field = `${at}.${member}.${kind === 'image' ? 'url' : 'file_data'}`;
  const wanted = kind === 'image' ? 'an https address or data:image/…;base64' : 'data:…;base64';
  return { error: `${field} is not ${wanted}.`, hint: `Send it as ${wanted}.`, field };
}
