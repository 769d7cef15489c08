/** What the hub refuses for good, such as a key that it does not know; trying again is no use. */
export class ConnectRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ConnectRefused';
    this.status = status;
  }
}
