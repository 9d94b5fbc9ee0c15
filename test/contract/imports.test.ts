/** The house rules that a machine can check: data flows one way, and the core imports nothing of a runtime. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withRoomTable } from '../../scripts/room-table.mjs';
import { ROOT } from '../helpers/vectors.ts';

const SRC = join(ROOT, 'src');

const WINGS: Readonly<Record<string, { readonly rooms: Readonly<Record<string, string>> }>> = JSON.parse(
  readFileSync(join(ROOT, 'test/contract/rooms.json'), 'utf8'),
);

/** In the order of the table: a file may import siblings of its own room and rooms above it. */
const ROOMS = Object.entries(WINGS).flatMap(([wing, { rooms }]) => Object.keys(rooms).map((room) => `${wing}/${room}`));

/** What the root entry may import from outside. */
const LIBRARIES = ['@noble/ed25519', '@noble/hashes/sha2.js'];

interface Import {
  readonly from: string;
  readonly to: string;
}

function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(SRC, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('core/ed25519/assembly/'));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gm,
  );
  return [...statements].map(([, , from, bare, dynamic]) => ({
    from: file,
    to: (from ?? bare ?? dynamic)!,
  }));
}

const files = sourceFiles();
const imports = files.flatMap(importsOf);
const roomOf = (file: string): string | undefined => /^([^/]+\/[^/]+)\//.exec(file)?.[1];
const wingOf = (file: string): string | undefined => /^([^/]+)\//.exec(file)?.[1];
const isOurs = ({ to }: Import): boolean => to.startsWith('.');
const target = ({ from, to }: Import): string => relative(SRC, join(SRC, dirname(from), to));

describe('imports', () => {
  it('are found at all', () => {
    expect(imports.length).toBeGreaterThan(50);
    expect(files.map(roomOf).filter((room) => room !== undefined && !ROOMS.includes(room))).toEqual([]);
  });

  it('go to rooms above in the table, or to siblings', () => {
    const backwards = imports.filter(isOurs).filter((entry) => {
      const [from, to] = [roomOf(entry.from), roomOf(target(entry))];
      if (from === undefined) return false; // the public entries
      return to === undefined || (from !== to && ROOMS.indexOf(to) >= ROOMS.indexOf(from));
    });
    expect(backwards).toEqual([]);
  });

  it.each([
    ['core', ['core']],
    ['net', ['core', 'net']],
  ])('of the wing %s stay in %j', (wing, allowed) => {
    const reached = new Set(
      imports
        .filter(isOurs)
        .filter(({ from }) => wingOf(from) === wing)
        .map((entry) => wingOf(target(entry))),
    );
    expect([...reached].sort()).toEqual(allowed);
  });

  it('of the wing core reach no clock, no chance and no timer, but for how long an engine may work', () => {
    const engines = /^core\/ed25519\/(table-pace|pooled-ring|worker-slot)\.ts$/;
    const reaches =
      /\bDate\.now\b|new Date\(\)|\bperformance\.|\bsetTimeout\b|\bsetInterval\b|Math\.random|getRandomValues/;
    const code = (file: string) =>
      readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'[^'\n]*'/gm, '');
    expect(files.filter((file) => wingOf(file) === 'core' && !engines.test(file) && reaches.test(code(file)))).toEqual(
      [],
    );
  });

  it('and calls of the machine reach no clock, no chance and no server', () => {
    const machine = files.filter((file) => roomOf(file) === 'net/machine');
    expect(machine.length).toBeGreaterThan(0);
    for (const file of machine) {
      const code = readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      expect(code, file).not.toMatch(
        /\b(performance|Date|setTimeout|setInterval|queueMicrotask|Promise|async)\b|Math\.random/,
      );
    }
    const reached = imports
      .filter(({ from }) => roomOf(from) === 'net/machine')
      .filter(isOurs)
      .map(target);
    expect(reached.filter((file) => /^net\/(?!machine\/)/.test(file))).toEqual([]);
  });

  it('of node:* stand only where Node is required', () => {
    const allowed =
      /^(cli\.ts|node\.ts|app\/(cli|files|audit)\/|core\/ed25519\/worker(s|-thread|-slot)\.ts|net\/toncenter\/(decompress|undici-transport)\.ts)/;
    expect(imports.filter(({ from, to }) => to.startsWith('node:') && !allowed.test(from))).toEqual([]);
  });

  function reachableFrom(entry: string): ReadonlySet<string> {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const entryImport of imports.filter(({ from }) => from === file)) {
        visit(isOurs(entryImport) ? target(entryImport) : entryImport.to);
      }
    };
    visit(entry);
    return seen;
  }

  it.each(['index.ts', 'chain.ts'])('of the entry %s reach two libraries and nothing of a runtime', (entry) => {
    const outside = [...reachableFrom(entry)].filter((name) => !name.endsWith('.ts'));
    expect(outside.sort()).toEqual(LIBRARIES);
  });

  it.each(['index.ts', 'chain.ts'])('of the entry %s reach no transport', (entry) => {
    const rooms = new Set([...reachableFrom(entry)].map((file) => roomOf(file)));
    expect([...rooms].filter((room) => room?.startsWith('net/'))).toEqual([]);
  });

  it.each(['index.ts', 'chain.ts'])('of the entry %s reach no Buffer and no environment', (entry) => {
    for (const file of reachableFrom(entry)) {
      if (!file.endsWith('.ts')) continue;
      const code = readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      expect(code, file).not.toMatch(/\bBuffer\b|process\.env|\brequire\(|['"`]node:/);
    }
  });
});

it('every file opens with what it is for', () => {
  const silent = files.filter((file) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(join(SRC, file), 'utf8')));
  expect(silent).toEqual([]);
});

it('the table of rooms in the docs is the one that is held here', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  expect(withRoomTable(page)).toBe(page);
});
