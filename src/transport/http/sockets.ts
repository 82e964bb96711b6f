/**
 * The connections of one transport: each carries one request at a time and is used again after it.
 *
 * An undici `Agent` would do this too, but it opens a second socket for a call that follows at once
 * on the last, and a new one in place of each that is given up, for nobody. So `Client`s are kept
 * here. A dispatcher of the caller's, or one that goes through a proxy, keeps its own.
 */
import type { Client, Dispatcher } from "undici";

/** Where requests find a connection. */
export interface Sockets {
  /** A connection for one request to an origin; the number of them is not limited. */
  lease(origin: string): Lease;
  /** Ends every connection; resolves when they are closed. */
  destroy(): Promise<void>;
}

/** A connection, as long as one request needs it. */
export interface Lease {
  readonly dispatcher: Dispatcher;
  /** The request is over: the connection may carry the next. */
  giveBack(): void;
  /** Closes the connection under its request; `abort` is the request's own way to do so. */
  cut(abort: () => void): void;
}

/** The connections of a dispatcher that keeps its own; it is destroyed only when it is ours. */
export function sharedSockets(dispatcher: Dispatcher, isOurs: boolean): Sockets {
  const lease: Lease = { dispatcher, giveBack: () => undefined, cut: (abort) => abort() };
  return {
    lease: () => lease,
    destroy: () => (isOurs ? destroyed(dispatcher) : Promise.resolve()),
  };
}

/** Connections of our own, made by `create` when no idle one is left. */
export function ownSockets(create: (origin: string) => Client): Sockets {
  const all = new Set<Client>();
  const idle = new Map<string, Client[]>();
  const idleOf = (origin: string): Client[] => {
    const known = idle.get(origin);
    if (known !== undefined) return known;
    const clients: Client[] = [];
    idle.set(origin, clients);
    return clients;
  };
  const drop = (client: Client): Promise<void> => {
    all.delete(client);
    return destroyed(client);
  };
  const open = (origin: string): Client => {
    const client = create(origin);
    all.add(client);
    // The socket of an idle one has ended, by its timeout or by the server.
    client.on("disconnect", () => {
      const clients = idleOf(origin);
      const at = clients.indexOf(client);
      if (at === -1) return;
      clients.splice(at, 1);
      void drop(client);
    });
    return client;
  };
  return {
    lease: (origin) => {
      const client = idleOf(origin).pop() ?? open(origin);
      return {
        dispatcher: client,
        giveBack: () => void (all.has(client) && idleOf(origin).push(client)),
        cut: () => void drop(client),
      };
    },
    destroy: async () => {
      await Promise.all([...all].map(drop));
    },
  };
}

async function destroyed(dispatcher: Dispatcher): Promise<void> {
  try {
    await dispatcher.destroy();
  } catch {
    // It can only say that it is destroyed already.
  }
}
