/**
 * Time limits of connections, on a busy machine. A timer may end before the loop has read what arrived meanwhile. Closing then
 * resets a connection whose request is already here. So what has arrived is read first, and only then the connection is closed.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type OnUnreadable = (error: NodeJS.ErrnoException, socket: Duplex) => void;

export class LateTimeouts {
  readonly #latest = new WeakMap<Duplex, IncomingMessage>();

  /** Notes a request: its headers have arrived. */
  note(request: IncomingMessage): void {
    this.#latest.set(request.socket, request);
  }

  /** A connection that was idle, or whose answer nobody reads. */
  watch(server: Server): void {
    server.on('timeout', (socket: Socket) => {
      const before = [socket.bytesRead, socket.writableLength];
      afterReading(() => {
        // Bytes that arrived or left have set its timer again.
        if (socket.bytesRead === before[0] && socket.writableLength === before[1]) socket.destroy();
      });
    });
  }

  /** `onUnreadable`, for requests that did not arrive in time, only if the request is not whole by now. */
  patient(onUnreadable: OnUnreadable): OnUnreadable {
    return (error, socket) => {
      if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return onUnreadable(error, socket);
      const before = this.#latest.get(socket);
      const wasWhole = before?.complete ?? false;
      afterReading(() => {
        const now = this.#latest.get(socket);
        const isWholeNow = now?.complete === true && (now !== before || !wasWhole);
        if (!isWholeNow) onUnreadable(error, socket);
      });
    };
  }
}

/** A turn of the event loop: timers, then input, then `setImmediate`. The second turn is for timers that timers start. */
function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then));
}
