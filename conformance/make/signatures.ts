/** Signature sets of a masterchain block, as JSON and as TL, ordinary and Simplex. */
import { createHash } from 'node:crypto';
import type { BlockIdExt } from '../../src/core/block/block-id.ts';
import type { SignatureEntry, SignatureList } from '../../src/core/block/signature-list.ts';
import {
  candidateWithoutParent,
  candidateWithParent,
  corrupted,
  emptyCandidate,
  entryOf,
  hashOf,
  messageByHand,
  type SetKind,
  toAnswer,
} from '../../test/helpers/make-block.ts';
import { MASTER_SHARD, tlSignatureSet } from '../../test/helpers/make-chain.ts';
import { makeSigner, makeSigners, type Signer } from '../../test/helpers/make-validators.ts';
import { Book, base64, below, blockJson, randomOf } from './cases.ts';

type Simplex = Extract<SignatureList, { kind: 'simplex' }>;

/** A block with signers, and everything that follows from its name. */
interface World {
  readonly name: string;
  readonly kind: SetKind;
  readonly id: BlockIdExt;
  readonly signers: readonly Signer[];
  readonly unsigned: SignatureList;
  readonly random: () => number;
}

const WEIGHTS: readonly (readonly bigint[])[] = [
  [400n, 270n, 200n, 65n, 65n],
  [10n, 10n, 10n, 10n],
  [1n, 1n, 1n, 1n, 1n, 1n, 1n],
  // About what the elector gives: their sum is about 2^60, so no double holds them.
  [230584300921369395n, 230584300921369397n, 230584300921369393n, 230584300921369391n, 230584300921369399n],
  [7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n],
];

function worldOf(name: string, kind: SetKind, weights?: readonly bigint[]): World {
  const random = randomOf(name);
  const id: BlockIdExt = {
    workchain: -1,
    shard: MASTER_SHARD,
    seqno: 1 + below(random, 80_000_000),
    rootHash: hashOf(`${name} root`),
    fileHash: hashOf(`${name} file`),
  };
  const signers = makeSigners(weights ?? WEIGHTS[below(random, WEIGHTS.length)]!, name);
  const common = { blockId: id, signatures: [] };
  const unsigned: SignatureList =
    kind === 'ordinary'
      ? { kind, ...common }
      : {
          kind,
          ...common,
          sessionId: hashOf(`${name} session`),
          slot: below(random, 2 ** 32),
          candidate: candidateWithParent(id),
        };
  return { name, kind, id, signers, unsigned, random };
}

const signWith = (signers: readonly Signer[], set: SignatureList, message = messageByHand(set)): SignatureList => ({
  ...set,
  signatures: signers.map((signer) => entryOf(signer, message)),
});
const signed = (world: World) => signWith(world.signers, world.unsigned);
const withEntries = (set: SignatureList, signatures: readonly SignatureEntry[]): SignatureList => ({
  ...set,
  signatures,
});
const sum = (signers: readonly Signer[]) => signers.reduce((total, { weight }) => total + weight, 0n);

const validatorsJson = (signers: readonly { publicKey: Uint8Array; weight: bigint }[]) =>
  signers.map(({ publicKey, weight }) => ({ publicKey: base64(publicKey), weight: weight.toString() }));

type Wire = 'json' | 'tl';

/** A set on the wire. tonlib prints a uint32 as an int32. */
function onWire(wire: Wire, set: SignatureList): Readonly<Record<string, string>> {
  if (wire === 'tl') return { tl: base64(tlSignatureSet({ set, listHash: 0x5eed, catchainSeqno: 77 })) };
  const answer = toAnswer(set);
  return { json: JSON.stringify('slot' in answer ? { ...answer, slot: answer.slot | 0 } : answer) };
}

/** The messages that people sign besides the one that counts. */
function otherMessage(set: SignatureList, what: 'approve' | 'notarize' | 'skip' | 'leader'): Uint8Array {
  const message = messageByHand(set);
  if (what === 'approve') return new Uint8Array(Buffer.concat([Buffer.from('494ad42d', 'hex'), message.subarray(4)]));
  const { sessionId, slot, candidate } = set as Simplex; // asked of Simplex sets only
  const slotBytes = Buffer.alloc(4);
  slotBytes.writeUInt32LE(slot);
  const id = Buffer.concat([
    Buffer.from('3fcd91b6', 'hex'),
    slotBytes,
    createHash('sha256').update(candidate).digest(),
  ]);
  const data = {
    notarize: Buffer.concat([Buffer.from('a805f6cd', 'hex'), id]),
    skip: Buffer.concat([Buffer.from('261f6b2f', 'hex'), slotBytes]),
    leader: id,
  }[what];
  const padding = Buffer.alloc((4 - ((data.length + 1) % 4)) % 4);
  const head = [Buffer.from('f83de3a8', 'hex'), sessionId, Buffer.from([data.length])];
  return new Uint8Array(Buffer.concat([...head, data, padding]));
}

export function makeSignatures(): Book {
  const book = new Book('signatures');
  for (const kind of ['ordinary', 'simplex'] as const) {
    for (const wire of ['json', 'tl'] as const) {
      const form = `${wire}-${kind}`;
      const flags = kind === 'simplex' ? ['SIMPLEX'] : [];
      makeOf(book, kind, wire, form, flags);
    }
    makeJson(book, kind);
    makeTl(book, kind);
  }
  makeCandidates(book);
  return book;
}

/** The good case of a rule, and the bad ones that differ from it in one thing. */
type Bad = readonly [name: string, comment: string, input: object];

function makeOf(book: Book, kind: SetKind, wire: Wire, form: string, flags: readonly string[]): void {
  const rounds = (
    rule: string,
    count: number,
    make: (world: World, n: number) => readonly Bad[],
    more: readonly string[] = [],
  ) => {
    for (let n = 0; n < count; n++) {
      const world = worldOf(`signatures ${rule} ${form} ${n}`, kind);
      const all = signed(world);
      const place = { rule, form, flags: [...flags, ...more] };
      const value = { signedWeight: sum(world.signers).toString(), totalWeight: sum(world.signers).toString() };
      const good = { ...inputOf(world, all) };
      const twin = book.accept(place, `${n}-good`, 'Signed by everybody, as it should be.', good, value);
      for (const [name, comment, input] of make(world, n))
        book.reject(place, `${n}-${name}`, comment, { ...good, ...input }, twin);
    }
  };
  const inputOf = (world: World, set: SignatureList) => ({
    ...onWire(wire, set),
    block: blockJson(world.id),
    validators: validatorsJson(world.signers),
  });
  const setOf = (set: SignatureList) => onWire(wire, set);

  makeThreshold(book, kind, wire, form, flags);

  rounds(
    'signer-known',
    2,
    (world) => {
      const stranger = makeSigner(`${world.name} stranger`, 1n);
      const all = signed(world);
      const entry = entryOf(stranger, messageByHand(all));
      return [
        [
          'added',
          'One signer more, whom nobody elected: one defect refuses the whole set.',
          setOf(withEntries(all, [...all.signatures, entry])),
        ],
        ['first', 'The stranger stands first.', setOf(withEntries(all, [entry, ...all.signatures]))],
        [
          'renamed',
          'A good signature under the name of a stranger.',
          setOf(
            withEntries(all, [{ ...all.signatures[0]!, nodeIdShort: entry.nodeIdShort }, ...all.signatures.slice(1)]),
          ),
        ],
      ];
    },
    ['UNSOUND_COUNT'],
  );

  rounds(
    'signer-once',
    2,
    (world, n) => {
      const all = signed(world);
      const [first] = all.signatures;
      const half = all.signatures.slice(0, 1);
      const again = corrupted(first!, 256 + n);
      return [
        ['again', 'One entry stands twice, byte for byte.', setOf(withEntries(all, [...all.signatures, first!]))],
        [
          'other-bytes',
          'One signer twice, with other bytes the second time.',
          setOf(withEntries(all, [...all.signatures, again])),
        ],
        [
          'many-times',
          'One signer repeated until its weight would make two thirds.',
          setOf(
            withEntries(
              all,
              Array.from({ length: 12 }, () => half[0]!),
            ),
          ),
        ],
      ];
    },
    ['UNSOUND_COUNT'],
  );

  rounds('signature-valid', 2, (world, n) => {
    const all = signed(world);
    const last = all.signatures.length - 1;
    const change = (at: number, entry: SignatureEntry) =>
      setOf(
        withEntries(
          all,
          all.signatures.map((one, k) => (k === at ? entry : one)),
        ),
      );
    const [x, y] = all.signatures;
    return [
      [
        'bit-of-r',
        'One bit of one R is flipped; the others alone would weigh enough.',
        change(last, corrupted(all.signatures[last]!, 3 + n)),
      ],
      ['bit-of-s', 'One bit of one S is flipped.', change(0, corrupted(x!, 300 + n))],
      [
        'swapped',
        'Two signers have each other’s signature.',
        setOf(
          withEntries(all, [
            { ...x!, signature: y!.signature },
            { ...y!, signature: x!.signature },
            ...all.signatures.slice(2),
          ]),
        ),
      ],
      ['zeros', 'A signature of zeros.', change(last, { ...all.signatures[last]!, signature: new Uint8Array(64) })],
    ];
  });

  rounds(
    'signature-s-canonical',
    1,
    (world) => {
      const all = signed(world);
      const order = 2n ** 252n + 27742317777372353535851937790883648493n;
      const [first, ...rest] = all.signatures;
      const s = BigInt(`0x${Buffer.from(first!.signature.subarray(32)).reverse().toString('hex')}`) + order;
      const bytes = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
      const signature = new Uint8Array([...first!.signature.subarray(0, 32), ...bytes]);
      return [
        [
          's-plus-l',
          'One S is larger by the order of the group: OpenSSL, and so the node, refuses it.',
          setOf(withEntries(all, [{ ...first!, signature }, ...rest])),
        ],
      ];
    },
    ['ED25519'],
  );

  rounds('message-of-this-block', 2, (world) => {
    const other = worldOf(`${world.name} other`, kind);
    const foreign = signWith(world.signers, other.unsigned);
    return [
      [
        'other-block',
        'Signatures of another block, in the place of this one’s.',
        setOf(withEntries(world.unsigned, foreign.signatures)),
      ],
    ];
  });

  rounds(
    'message-kind',
    2,
    (world) => {
      const wrong = kind === 'ordinary' ? (['approve'] as const) : (['notarize', 'skip', 'leader', 'approve'] as const);
      const words = {
        approve: 'ton.blockIdApprove in the place of what is signed: an approval makes nothing final.',
        notarize: 'Notarize votes: a notarized block is not yet final.',
        skip: 'Votes to skip the slot.',
        leader: 'What the leader signs to propose the candidate.',
      };
      return wrong.map((what) => [
        what,
        words[what],
        setOf(signWith(world.signers, world.unsigned, otherMessage(world.unsigned, what))),
      ]);
    },
    ['WRONG_MESSAGE'],
  );

  rounds('kind-of-set', 2, (world) => {
    const other = kind === 'ordinary' ? 'simplex' : 'ordinary';
    const session = { sessionId: hashOf('session'), slot: 1, candidate: candidateWithParent(world.id) };
    const relabelled: SignatureList =
      other === 'ordinary'
        ? { kind: other, blockId: world.id, signatures: signed(world).signatures }
        : { kind: other, blockId: world.id, signatures: signed(world).signatures, ...session };
    return [
      [
        'relabelled',
        `The same signatures in a set that says it is ${other}: they are of another message.`,
        setOf(relabelled),
      ],
    ];
  });

  rounds('block-asked-for', 2, (world) => {
    const other = (change: Partial<BlockIdExt>) => ({ block: blockJson({ ...world.id, ...change }) });
    const { rootHash, fileHash } = world.id;
    const bad: Bad[] = [
      ['root-hash', 'The caller wants another block: another root hash.', other({ rootHash: fileHash })],
      ['file-hash', 'The caller wants another block: another file hash.', other({ fileHash: rootHash })],
    ];
    // A TL set of ordinary signatures names no block: its number is bound by a header, which is not here.
    if (form !== 'tl-ordinary')
      bad.push(['seqno', 'The caller wants another block: another number.', other({ seqno: world.id.seqno + 1 })]);
    return bad;
  });

  rounds(
    'weights-within-2-61',
    1,
    (world) => {
      const heavy = world.signers.map((signer, k) => ({ publicKey: signer.publicKey, weight: k < 3 ? 2n ** 60n : 1n }));
      const wrapped = world.signers.map(({ publicKey }, k) => ({ publicKey, weight: k < 2 ? 2n ** 63n : 1n }));
      return [
        [
          'above',
          'Weights that add up to more than 2^61: the node takes no such set.',
          { validators: validatorsJson(heavy) },
        ],
        ['wraps', 'Weights whose sum wraps around 2^64.', { validators: validatorsJson(wrapped) }],
      ];
    },
    ['OVERFLOW'],
  );

  const idle = worldOf(`signatures weight-zero ${form}`, kind);
  const light = idle.signers.map(({ publicKey, weight }, k) => ({ publicKey, weight: k === 1 ? 0n : weight }));
  const weight = sum(idle.signers.filter((_, k) => k !== 1)).toString();
  book.either(
    { rule: 'weights-within-2-61', form, flags },
    'zero',
    'A validator of weight zero in the set that the caller vouches for.',
    { ...inputOf(idle, signed(idle)), validators: validatorsJson(light) },
    'The node takes no such set, but its count would be right.',
    { signedWeight: weight, totalWeight: weight },
  );

  rounds(
    'keys-once',
    1,
    (world) => {
      const [first] = world.signers;
      return [
        [
          'twice',
          'One key stands twice in the set: the node aborts on it.',
          { validators: validatorsJson([...world.signers, first!]) },
        ],
      ];
    },
    ['UNSOUND_COUNT'],
  );

  rounds('list-not-empty', 1, () => [['none', 'No validators at all.', { validators: [] }]]);

  if (kind !== 'simplex') return;
  rounds(
    'message-session',
    2,
    (world) => {
      const set = signed(world) as Simplex; // it is of this kind
      return [
        [
          'other-session',
          'Another session id than the one that was signed.',
          setOf({ ...set, sessionId: hashOf('elsewhere') }),
        ],
      ];
    },
    ['WRONG_MESSAGE'],
  );
  rounds(
    'message-slot',
    2,
    (world) => {
      const set = signed(world) as Simplex; // it is of this kind
      return [
        ['next', 'The next slot.', setOf({ ...set, slot: (set.slot + 1) >>> 0 })],
        [
          'byte-order',
          'The slot with its bytes reversed.',
          setOf({ ...set, slot: Buffer.from(new Uint32Array([set.slot]).buffer).readUInt32BE(0) }),
        ],
      ];
    },
    ['WRONG_MESSAGE'],
  );
  rounds(
    'candidate-of-this-block',
    2,
    (world) => {
      const of = (change: Partial<BlockIdExt>) =>
        ({ ...world.unsigned, candidate: candidateWithParent({ ...world.id, ...change }) }) as Simplex; // of this kind
      const changes: [string, Partial<BlockIdExt>][] = [
        ['workchain', { workchain: 0 }],
        ['shard', { shard: 1n << 62n }],
        ['seqno', { seqno: world.id.seqno + 1 }],
        ['root-hash', { rootHash: world.id.fileHash }],
        ['file-hash', { fileHash: world.id.rootHash }],
      ];
      return changes.map(([field, change]) => [
        field,
        `Everybody signed a candidate whose block differs in its ${field}: good signatures of another block.`,
        setOf(signWith(world.signers, of(change))),
      ]);
    },
    ['WRONG_MESSAGE'],
  );
  rounds('candidate-form', 2, (world) => {
    const of = (candidate: Uint8Array) => setOf(signWith(world.signers, { ...world.unsigned, candidate } as Simplex)); // of this kind
    const good = Buffer.from(candidateWithParent(world.id));
    const at = (offset: number, text: string) =>
      Buffer.concat([good.subarray(0, offset), Buffer.from(text, 'hex'), good.subarray(offset + text.length / 2)]);
    return [
      ['trailing', 'Four zero bytes behind the candidate, signed so.', of(Buffer.concat([good, Buffer.alloc(4)]))],
      ['cut', 'A candidate that is cut short, signed so.', of(good.subarray(0, 156))],
      ['unknown', 'An unknown kind of candidate, signed so.', of(at(0, 'dcbcf9e9'))],
      ['unknown-parent', 'A parent of an unknown kind, signed so.', of(at(116, 'f19a4b1b'))],
      ['unknown-parent-id', 'A parent whose id is of an unknown kind, signed so.', of(at(120, '3fcd91b7'))],
      ['empty', 'No candidate at all, signed so.', of(Buffer.alloc(0))],
      [
        'bare-of-empty',
        'An ordinary candidate’s bytes under the id of the empty form, signed so.',
        of(at(0, '33d9b472')),
      ],
    ];
  });
}

/** Exactly two thirds is not more than two thirds. */
function makeThreshold(book: Book, kind: SetKind, wire: Wire, form: string, flags: readonly string[]): void {
  const rule = 'more-than-two-thirds';
  const place = { rule, form, flags: [...flags, 'THRESHOLD'] };
  // Weights, and how many of them from the start are enough, just.
  const sets: readonly [string, readonly bigint[], number][] = [
    ['equal', [10n, 10n, 10n], 3],
    ['by-one', [666n, 1n, 333n], 2],
    ['large', [2n ** 60n / 3n, 2n ** 60n / 3n, 2n, 2n ** 60n / 3n - 2n], 3],
    ['limit', [2n ** 60n, 2n ** 58n, 2n ** 58n, 2n ** 59n], 3],
    ['many', Array.from({ length: 30 }, () => 3n), 21],
  ];
  for (const [name, weights, enough] of sets) {
    const world = worldOf(`signatures ${rule} ${form} ${name}`, kind, weights);
    const all = signed(world);
    const total = sum(world.signers).toString();
    const inputOf = (count: number) => ({
      ...onWire(wire, withEntries(all, all.signatures.slice(0, count))),
      block: blockJson(world.id),
      validators: validatorsJson(world.signers),
    });
    const value = { signedWeight: sum(world.signers.slice(0, enough)).toString(), totalWeight: total };
    const twin = book.accept(
      place,
      `${name}-enough`,
      `Signed by ${value.signedWeight} of ${total}: just more than two thirds.`,
      inputOf(enough),
      value,
    );
    const less = sum(world.signers.slice(0, enough - 1));
    book.reject(
      place,
      `${name}-one-less`,
      `The same without its last signer: ${less} of ${total}, which is not more than two thirds.`,
      inputOf(enough - 1),
      twin,
    );
    if (name === 'equal') book.reject(place, 'nobody', 'Nobody signed.', inputOf(0), twin);
    if (name === 'many') {
      const reversed = withEntries(all, all.signatures.slice(0, enough).reverse());
      book.accept(
        place,
        'any-order',
        'The same signers in the other order.',
        { ...inputOf(enough), ...onWire(wire, reversed) },
        value,
      );
    }
  }
}

/** Every shape of a candidate that is final. */
function makeCandidates(book: Book): void {
  const shapes = {
    'with-parent': candidateWithParent,
    'without-parent': candidateWithoutParent,
    empty: emptyCandidate,
  };
  for (const wire of ['json', 'tl'] as const) {
    for (const [name, candidateOf] of Object.entries(shapes)) {
      const place = { rule: 'candidate-shapes', form: `${wire}-simplex`, flags: ['SIMPLEX'] };
      const world = worldOf(`signatures candidate ${wire} ${name}`, 'simplex');
      const unsigned = { ...world.unsigned, candidate: candidateOf(world.id) } as Simplex; // of this kind
      const total = sum(world.signers).toString();
      const rest = { block: blockJson(world.id), validators: validatorsJson(world.signers) };
      const inputOf = (set: SignatureList) => ({ ...onWire(wire, signWith(world.signers, set)), ...rest });
      const value = { signedWeight: total, totalWeight: total };
      const twin = book.accept(
        place,
        name,
        `A candidate of the form ${name}, which certificates of the masterchain may carry.`,
        inputOf(unsigned),
        value,
      );
      const other = { ...unsigned, candidate: candidateOf({ ...world.id, fileHash: world.id.rootHash }) };
      book.reject(place, `${name}-other-block`, 'The same form over another block.', inputOf(other), twin);
      const swapped = Buffer.from(unsigned.candidate);
      swapped.writeUInt32LE((swapped.readUInt32LE(0) ^ 1) >>> 0, 0);
      book.reject(
        place,
        `${name}-other-tag`,
        'The same bytes under an id that is one bit off, signed so.',
        inputOf({ ...unsigned, candidate: Uint8Array.from(swapped) }),
        twin,
      );
    }
  }
}

const ONE_READING = 'Every reader that takes it reads the same; the protocol does not say how JSON is spelled.';

/** Spellings that some readers refuse and others take for what they mean. */
const LENIENT = new Set([
  'json-keys-once/same',
  'json-base64/no-padding',
  'json-base64/blank',
  'json-base64/line-feed',
  'json-base64/spare-bits',
  'json-base64/junk',
  'json-base64/nul',
  'json-base64/url',
  'json-types/seqno-text',
]);

/** What JSON can do that TL cannot. */
function makeJson(book: Book, kind: SetKind): void {
  const form = `json-${kind}`;
  type Answer = Record<string, unknown> & { id: Record<string, unknown>; signatures: Record<string, unknown>[] };
  const rounds = (
    rule: string,
    flags: readonly string[],
    make: (answer: Answer, text: string) => readonly (readonly [string, string, string])[],
  ) => {
    const world = worldOf(`signatures ${rule} ${form}`, kind);
    const { json } = onWire('json', signed(world)) as { json: string };
    const rest = { block: blockJson(world.id), validators: validatorsJson(world.signers) };
    const total = sum(world.signers).toString();
    const place = { rule, form, flags: [...(kind === 'simplex' ? ['SIMPLEX'] : []), ...flags] };
    const twin = book.accept(
      place,
      'good',
      'The answer as servers print it.',
      { json, ...rest },
      { signedWeight: total, totalWeight: total },
    );
    for (const [name, comment, text] of make(JSON.parse(json) as Answer, json)) {
      const input = { json: text, ...rest };
      const value = { signedWeight: total, totalWeight: total };
      if (LENIENT.has(`${rule}/${name}`)) book.either(place, name, comment, input, ONE_READING, value);
      else book.reject(place, name, comment, input, twin);
    }
  };
  const edit = (answer: Answer, change: (copy: Answer) => void) => {
    const copy = structuredClone(answer);
    change(copy);
    return JSON.stringify(copy);
  };
  rounds('json-keys-once', ['JSON'], (_, text) => [
    [
      'signatures',
      'The list of signatures stands twice in the object; the second is empty.',
      text.replace(/}$/, ',"signatures":[]}'),
    ],
    [
      'same',
      'The list stands twice, and both say the same.',
      text.replace(
        '"signatures":',
        `"signatures":${JSON.stringify((JSON.parse(text) as Answer).signatures)},"signatures":`,
      ),
    ],
    [
      'nested',
      'A key of an entry stands twice.',
      text.replace('"node_id_short":', '"node_id_short":"","node_id_short":'),
    ],
    ['escaped', 'The same key once plain and once escaped.', text.replace(/}$/, ',"\\u0073ignatures":[]}')],
  ]);
  rounds('json-is-json', ['JSON'], (_, text) => [
    ['cut', 'The text is cut short.', text.slice(0, -1)],
    ['behind', 'There is something behind the object.', `${text}x`],
    ['comma', 'A comma behind the last member.', text.replace(/}$/, ',}')],
    ['nul', 'A NUL behind the text.', `${text}\u0000`],
    ['html', 'A page of a proxy.', '<html><body>502 Bad Gateway</body></html>'],
    ['nothing', 'No text at all.', ''],
    ['single-quotes', 'Single quotes.', text.replaceAll('"', "'")],
    ['nan', 'NaN for a number.', text.replace(/"seqno":\d+/, '"seqno":NaN')],
    ['leading-zero', 'A number with a leading zero.', text.replace(/"seqno":/, '"seqno":0')],
  ]);
  rounds('json-base64', ['JSON'], (answer) => {
    const signature = String(answer.signatures[0]!.signature);
    const with0 = (value: string) => edit(answer, (copy) => Object.assign(copy.signatures[0]!, { signature: value }));
    return [
      ['no-padding', 'A signature in base64 without its padding.', with0(signature.replace(/=+$/, ''))],
      ['blank', 'A blank inside the base64.', with0(`${signature.slice(0, 8)} ${signature.slice(8)}`)],
      ['line-feed', 'A line feed behind the base64.', with0(`${signature}\n`)],
      [
        'spare-bits',
        'Spare bits of the last letter are not zero: two spellings of the same bytes.',
        with0(signature.replace(/.==$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}==`)),
      ],
      [
        'hex',
        'A signature in hex: read as base64 it is something else.',
        with0(Buffer.from(signature, 'base64').toString('hex')),
      ],
      ['url', 'A signature in the alphabet for URLs.', with0(Buffer.from(signature, 'base64').toString('base64url'))],
      [
        'list',
        'A list of one signature in the place of a signature.',
        edit(answer, (copy) => Object.assign(copy.signatures[0]!, { signature: [signature] })),
      ],
      ['junk', 'A letter that base64 does not have; lenient decoders pass over it.', with0(`!${signature}`)],
      ['nul', 'A NUL inside the base64.', with0(`${signature.slice(0, 8)}\u0000${signature.slice(8)}`)],
    ];
  });
  rounds('json-lengths', ['JSON'], (answer) => {
    const set = (name: string, length: number) =>
      edit(answer, (copy) =>
        Object.assign(copy.signatures[0]!, { [name]: Buffer.alloc(length, 7).toString('base64') }),
      );
    return [
      ['signature-63', 'A signature of 63 bytes.', set('signature', 63)],
      ['signature-65', 'A signature of 65 bytes.', set('signature', 65)],
      ['node-31', 'A node id of 31 bytes.', set('node_id_short', 31)],
      ['node-33', 'A node id of 33 bytes.', set('node_id_short', 33)],
      [
        'root-hash-31',
        'A root hash of 31 bytes.',
        edit(answer, (copy) => Object.assign(copy.id, { root_hash: Buffer.alloc(31).toString('base64') })),
      ],
    ];
  });
  rounds('json-types', ['JSON'], (answer) => {
    const of = (change: object) => edit(answer, (copy) => Object.assign(copy, change));
    const ofId = (change: object) => edit(answer, (copy) => Object.assign(copy.id, change));
    return [
      ['unknown-type', 'An unknown kind of set.', of({ '@type': 'blocks.blockSignatures.pq' })],
      ['no-type', 'The kind of set is not said.', of({ '@type': undefined })],
      ['null-list', 'null for the list of signatures.', of({ signatures: null })],
      [
        'object-list',
        'An object for the list of signatures.',
        of({ signatures: { 0: answer.signatures[0], length: 1 } }),
      ],
      ['null-entry', 'null for an entry.', of({ signatures: [...answer.signatures, null] })],
      ['no-id', 'No block id.', of({ id: undefined })],
      ['seqno-text', 'A number of a block as text.', ofId({ seqno: String(answer.id.seqno) })],
      ['seqno-fraction', 'A number of a block with a fraction.', ofId({ seqno: Number(answer.id.seqno) + 0.5 })],
      [
        'seqno-2-32',
        'A number of a block above 32 bits that is the same modulo 2^32.',
        ofId({ seqno: Number(answer.id.seqno) + 2 ** 32 }),
      ],
      ['seqno-2-53', 'A number of a block above 2^53.', ofId({ seqno: Number(answer.id.seqno) + 2 ** 53 })],
      ['seqno-true', 'true for a number.', ofId({ seqno: true })],
      ['hash-list', 'A list for a hash.', ofId({ root_hash: [answer.id.root_hash] })],
    ];
  });
  rounds('masterchain-block', ['WRONG_BLOCK'], (answer) => {
    const of = (change: object) => edit(answer, (copy) => Object.assign(copy.id, change));
    return [
      ['basechain', 'The id says workchain 0.', of({ workchain: 0 })],
      ['shard', 'The id says another shard.', of({ shard: '4611686018427387904' })],
      [
        'shard-beside',
        'The id says a shard that no double tells from the masterchain’s.',
        of({ shard: '-9223372036854775807' }),
      ],
    ];
  });
}

/** What TL can do that JSON cannot. */
function makeTl(book: Book, kind: SetKind): void {
  const form = `tl-${kind}`;
  const world = worldOf(`signatures tl-form ${form}`, kind);
  const all = signed(world);
  const good = tlSignatureSet({ set: all, listHash: 0x5eed, catchainSeqno: 77 });
  const rest = { block: blockJson(world.id), validators: validatorsJson(world.signers) };
  const total = sum(world.signers).toString();
  const rounds = (rule: string, make: readonly (readonly [string, string, Uint8Array])[]) => {
    const place = { rule, form, flags: kind === 'simplex' ? ['SIMPLEX'] : [] };
    const twin = book.accept(
      place,
      'good',
      'The set as lite servers write it.',
      { tl: base64(good), ...rest },
      { signedWeight: total, totalWeight: total },
    );
    for (const [name, comment, tl] of make) book.reject(place, name, comment, { tl: base64(tl), ...rest }, twin);
  };
  const changed = (at: number, ...bytes: number[]) => {
    const copy = Buffer.from(good);
    bytes.forEach((byte, k) => {
      copy[at + k] = byte;
    });
    return copy;
  };
  const count = world.signers.length;
  rounds('tl-whole', [
    ['behind', 'Four bytes behind the set.', Buffer.concat([good, Buffer.alloc(4)])],
    ['cut', 'The set is cut short.', good.subarray(0, -4)],
    ['empty', 'No bytes at all.', Buffer.alloc(0)],
    ['count-more', 'It says that it has one signature more.', changed(12, count + 1)],
    ['count-fewer', 'It says that it has one signature fewer.', changed(12, count - 1)],
    ['count-huge', 'It says that it has four billion signatures.', changed(12, 255, 255, 255, 255)],
  ]);
  rounds('tl-constructor', [
    ['unknown', 'An unknown constructor.', changed(0, good[0]! ^ 1)],
    [
      'stored',
      'The constructor of the form that nodes exchange, tonNode.signatureSet.',
      changed(0, ...Buffer.from(kind === 'ordinary' ? '24adc8ac' : '02db236a', 'hex')),
    ],
    [
      'error',
      'The error of a lite server.',
      Buffer.concat([Buffer.from('48e1a9bb', 'hex'), Buffer.from([140, 2, 0, 0, 3]), Buffer.from('no!')]),
    ],
  ]);
  rounds('tl-lengths', [
    [
      'signature-60',
      'A signature of 60 bytes.',
      Buffer.concat([
        good.subarray(0, 48),
        Buffer.from([60]),
        good.subarray(49, 109),
        Buffer.alloc(3),
        good.subarray(116),
      ]),
    ],
  ]);
  const spelled = (head: readonly number[], padding: readonly number[]) =>
    Buffer.concat([
      good.subarray(0, 48),
      Buffer.from(head),
      good.subarray(49, 113),
      Buffer.from(padding),
      good.subarray(116),
    ]);
  const spellings: [string, string, Buffer][] = [
    ['length-fe', 'A length in the long form of four bytes where one byte would do.', spelled([254, 64, 0, 0], [])],
    [
      'length-ff',
      'A length in the form of eight bytes, which nothing here needs.',
      spelled([255, 64, 0, 0, 0, 0, 0, 0], []),
    ],
    ['padding', 'Padding that is not zeros.', spelled([64], [1, 2, 3])],
  ];
  for (const [name, comment, tl] of spellings) {
    const reason = 'The node reads it; nothing that is signed depends on it, so to refuse is sane.';
    const place = { rule: 'tl-lengths', form, flags: [] };
    book.either(place, name, comment, { tl: base64(tl), ...rest }, reason, { signedWeight: total, totalWeight: total });
  }
}
