/** Methods of A2A that a caller may name in place of a skill, in both spellings. */
export const A2A_METHODS: readonly string[] = [
  'SendMessage',
  'message/send',
  'GetTask',
  'tasks/get',
  'ListTasks',
  'tasks/list',
  'CancelTask',
  'tasks/cancel',
  'GetExtendedAgentCard',
  'agent/getAuthenticatedExtendedCard',
];

export function isA2aMethod(operation: string): boolean {
  return A2A_METHODS.includes(operation);
}

/** The names of 0.3 and earlier have a namespace; those of 1.0 are a verb and one of these nouns. */
const NAMESPACED = /^(message|tasks|agent)\//i;
const VERB_AND_NOUN =
  /^(send|get|list|cancel|create|set|update|delete|subscribeto|resubscribeto)(streaming)?(message|tasks?|task(push)?notificationconfigs?|taskpushnotifications?|(authenticated)?(extended)?(agent)?card)$/i;

/**
 * Whether a name is a method of the protocol that the router does not send: a stream, a change of
 * notifications, a wrong spelling or a method of another version. As a message it would buy work.
 */
export function isUnsentMethod(operation: string): boolean {
  if (isA2aMethod(operation)) return false;
  return NAMESPACED.test(operation) || VERB_AND_NOUN.test(operation);
}
