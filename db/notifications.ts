/** @param isOwn Whether a commit of this process rang. */
export type Listener = (topic: string, isOwn: boolean) => void;

/** Those who hear rings; one that throws does not keep the others from hearing. */
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
      // Wrapped, so that one function registered twice is heard and stopped twice.
      const own: Listener = (topic, isOwn) => listener(topic, isOwn);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
