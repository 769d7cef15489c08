/** @param isOwn Whether a commit of this process rang. */
export type Listener = (topic: string, isOwn: boolean) => void;

/** The listeners to committed topics; one that throws does not stop the others. */
export interface Notifications {
  publish: Listener;
  listen(listener: Listener): () => void;
}

export function openNotifications(report: (error: unknown) => void): Notifications {
  const listeners = new Set<Listener>();
  return {
    publish(topic, isOwn) {
      for (const listener of [...listeners]) {
        try {
          listener(topic, isOwn);
        } catch (error) {
          report(error);
        }
      }
    },
    listen(listener) {
      // Wrapped, so that one function registered twice is called and removed twice.
      const own: Listener = (topic, isOwn) => listener(topic, isOwn);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
