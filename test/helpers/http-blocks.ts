/** A server over HTTP that signs what it is told: heads and signatures in the v2 form, and no headers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SignatureList } from '../../src/core/block/signature-list.ts';
import { blockIdToAnswer, toAnswer } from './make-block.ts';

export interface HttpBlocks {
  readonly url: string;
  /** What it was asked, in order. */
  readonly seen: string[];
  head: number;
  /** Signatures of a block; `undefined`: it does not have it; 'hang': no answer. */
  give: (seqno: number) => SignatureList | 'hang' | undefined;
  close(): void;
}

export async function startHttpBlocks(head: number, give: HttpBlocks['give']): Promise<HttpBlocks> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const operation = pathname.split('/').at(-1) ?? '';
    const seqno = Number(searchParams.get('seqno'));
    blocks.seen.push(operation.startsWith('getMasterchainBlock') ? `${operation} ${seqno}` : operation);
    const say = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (operation === 'getMasterchainInfo') {
      const hash = new Uint8Array(32);
      const id = { workchain: -1, shard: -(1n << 63n), seqno: blocks.head, rootHash: hash, fileHash: hash };
      const last = blockIdToAnswer(id);
      const init = blockIdToAnswer({ ...id, seqno: 0, shard: 0n });
      const state_root_hash = last.root_hash;
      return say(200, { ok: true, result: { '@type': 'blocks.masterchainInfo', last, state_root_hash, init } });
    }
    const said = operation === 'getMasterchainBlockSignatures' ? blocks.give(seqno) : undefined;
    if (said === 'hang') return;
    if (said !== undefined) return say(200, { ok: true, result: toAnswer(said) });
    say(500, { ok: false, error: 'LITE_SERVER_NOTREADY: seqno not in db', code: 500 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const blocks: HttpBlocks = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    seen: [],
    head,
    give,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return blocks;
}
