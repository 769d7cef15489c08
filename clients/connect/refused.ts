/** A permanent refusal of the hub, such as for an unknown key. A retry does not help. */
export class ConnectRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ConnectRefused';
    this.status = status;
  }
}
