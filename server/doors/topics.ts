import type { Store } from '../../db/store.ts';

/** A task of the A2A door came to its end. */
export const a2aEndTopic = (id: string): string => `a2a.end ${id}`;
/** The owner of a task of the A2A door takes it back; the process that runs it acts on it. */
export const A2A_CANCEL_TOPIC = 'a2a.cancel ';
/** The caller of an MCP call takes it back; followed by a digest of the caller and the call. */
export const MCP_CANCEL_TOPIC = 'mcp.cancel ';

/** Calls `act` with what follows a prefix, for each committed topic that begins with it. */
export function onPrefix(
  store: Pick<Store, 'onPublish'>,
  prefix: string,
  act: (rest: string) => void,
): void {
  store.onPublish((topic) => {
    if (topic.startsWith(prefix)) act(topic.slice(prefix.length));
  });
}
