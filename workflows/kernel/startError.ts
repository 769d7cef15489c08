/** Why a hub cannot start, in one line that says what to do; its stack would add nothing. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
