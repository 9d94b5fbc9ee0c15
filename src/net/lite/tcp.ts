/**
 * The default transport: TCP over the runtime's `net`, which is looked up and not imported. A page has no TCP and needs
 * a different transport, such as a relay.
 */
import { UsageError } from '../../core/base/errors.ts';
import { builtinModule } from '../../core/ed25519/builtin.ts';

/** The events of a connection. No event follows `onClose`. */
export interface TransportEvents {
  onOpen(): void;
  onData(bytes: Uint8Array): void;
  /** @param why the reason for an error, `undefined` where the other side just closed */
  onClose(why: string | undefined): void;
}

/** One connection, open or being opened. */
export interface Transport {
  write(bytes: Uint8Array): void;
  /** Ends the connection at once. `onClose` may or may not follow. */
  close(): void;
  /** Sets whether the program should stay alive for this connection. */
  setBusy(isBusy: boolean): void;
}

/** Opens a connection and reports its events, never before the call has returned. */
export type OpenTransport = (
  to: { readonly host: string; readonly port: number },
  events: TransportEvents,
) => Transport;

interface Socket {
  on(event: 'connect' | 'close', listener: () => void): this;
  on(event: 'data', listener: (bytes: Uint8Array) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  write(bytes: Uint8Array): boolean;
  setNoDelay(on: boolean): this;
  destroy(): this;
  ref(): this;
  unref(): this;
}

interface Net {
  connect(to: { host: string; port: number }): Socket;
}

/** Opens a TCP connection. @throws UsageError if the runtime has no TCP */
export const openTcp: OpenTransport = ({ host, port }, events) => {
  const net = builtinModule('net') as Partial<Net> | undefined; // checked below for the one member that is used
  if (typeof net?.connect !== 'function') {
    throw new UsageError('usage/bad-option', 'this runtime has no TCP', {
      hint: 'pass your own transport, such as a relay',
    });
  }
  const socket = net.connect({ host, port });
  let why: string | undefined;
  let isClosed = false;
  socket.setNoDelay(true);
  socket.on('connect', () => events.onOpen());
  socket.on('data', (bytes) => {
    if (!isClosed) events.onData(bytes);
  });
  socket.on('error', (error) => {
    why = error.message;
  });
  socket.on('close', () => {
    if (!isClosed) events.onClose(why);
    isClosed = true;
  });
  return {
    write: (bytes) => void socket.write(bytes),
    close() {
      isClosed = true;
      socket.destroy();
    },
    setBusy: (isBusy) => void (isBusy ? socket.ref() : socket.unref()),
  };
};
