/**
 * A server over bare sockets that sends exactly the bytes it is told to: broken framing, lying headers, cut and stalled
 * bodies. Shares no code with what it is used against, and reads of a request only that it has ended.
 */
import { createServer, type Socket } from 'node:net';

/** What to send, piece by piece, and how it ends. */
export interface RawReply {
  readonly pieces: readonly Uint8Array[];
  /** `keep`: the connection stays open for more; `end`: closed in order; `reset`: broken off; `hang`: nothing more comes. */
  readonly after: 'keep' | 'end' | 'reset' | 'hang';
  /** Milliseconds between pieces. */
  readonly pauseMs?: number;
}

export interface RawServer {
  readonly port: number;
  readonly origin: string;
  /** Connections that are open now. */
  open(): number;
  /** Connections that there ever were. */
  accepted(): number;
  /** Breaks off all connections and stops listening. */
  close(): Promise<void>;
}

async function send(socket: Socket, { pieces, after, pauseMs = 0 }: RawReply): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  if (after === 'end') socket.end();
  if (after === 'reset') socket.resetAndDestroy();
}

/** @param replyTo given the first line of each request, such as `GET /api/v2/getMasterchainInfo HTTP/1.1` */
export async function startRawServer(replyTo: (requestLine: string) => RawReply): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // the other side may break off at any time
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const line = text.slice(0, text.indexOf('\r\n'));
        text = text.slice(end + 4);
        void send(socket, replyTo(line));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    open: () => sockets.size,
    accepted: () => accepted,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
