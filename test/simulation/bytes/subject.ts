/** Live code over real bytes: servers of a world answer in TL, and what judges them is what is shipped. */
import type { BlockIdExt } from '../../../src/core/block/block-id.ts';
import { loadSubject, type Patch } from '../bundle.ts';
import { type Block, forgeWith } from '../chain.ts';
import { loadPatched } from '../patched.ts';
import type { Port, Subject } from '../port.ts';
import type { Loaded, Tried } from '../runner.ts';
import { Writer } from './answers.ts';
import { CellForge } from './forge.ts';
import { shownConfig } from './links.ts';
import { makeBytePlan } from './plan.ts';

/** What the code that is bundled asks of the blocks of its world. */
export interface BytePort extends Port {
  readonly bytes: {
    /** The configuration that a key block installs, in a proof. */
    config(block: Block): Uint8Array;
    blockOf(id: BlockIdExt): Block | undefined;
  };
}

/** One for all worlds: blocks that they share are made once. */
const forge = new CellForge();
const bytes: BytePort['bytes'] = {
  config: (block) => shownConfig(forge, block),
  blockOf: (id) => forge.blockOf(id),
};

export async function loadByteSubject(name: string, patches: readonly Patch[] = []): Promise<Tried> {
  const bundled: Loaded = await (patches.length > 0 ? loadPatched(patches, 'bytes') : loadSubject(name, 'bytes'));
  let writer = new Writer(forge);
  const startOf =
    (subject: Subject): Subject['start'] =>
    (command, given, port) => {
      const inBytes: BytePort = {
        ...port,
        bytes,
        ask: (server, question, done) =>
          port.ask(server, question, (answer) =>
            done(
              answer.kind === 'closed' || answer.kind === 'bytes'
                ? answer
                : { kind: 'bytes', bytes: writer.write(server, answer) },
            ),
          ),
      };
      return subject.start(command, given, inBytes);
    };
  return {
    plan: makeBytePlan,
    begin() {
      forge.begin();
      forgeWith(forge);
      writer = new Writer(forge);
    },
    start: startOf(bundled),
    read: bundled.read,
    async second() {
      const other = await bundled.second();
      return { ...other, start: startOf(other) };
    },
    forget() {
      forgeWith();
      bundled.forget();
    },
  };
}
