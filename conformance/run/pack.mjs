#!/usr/bin/env node
/**
 * Packs the suite for people who have no use for the rest: cases, schemas, protocol, rules, runner and the two examples. One .tgz, the same bytes for
 * the same files.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readSuite } from './read-suite.mjs';

const ROOT = join(import.meta.dirname, '..');
const PARTS = [
  'README.md',
  'protocol.md',
  'rules.json',
  'schemas',
  'suite',
  'run',
  'adapters/example-go',
  'adapters/example-python',
];
const LICENSE = join(ROOT, '..', 'LICENSE');
const FOLDER = 'ton-finality-conformance';
const BLOCK = 512;
/** What a build leaves beside an example. */
const IS_BUILT = /(^|\/)(adapter|adapter\.exe|__pycache__.*|expected\.json\.tmp)$/;

function filesOf(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) throw new Error(`${full} is not there`);
  const entries = readdirSync(full, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** One ustar header. Everything in it is fixed but name, size and mode. */
function headerOf(name, size, mode) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name}: too long a name`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value, at, length) => header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
  header.write(name, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}

export function archive() {
  const paths = PARTS.flatMap((part) => (/\.[a-z]+$/.test(part) ? [join(ROOT, part)] : filesOf(part)));
  const named = paths.map((path) => [relative(ROOT, path).replaceAll('\\', '/'), path]);
  const files = [...named, ['LICENSE', LICENSE]].filter(([name]) => !IS_BUILT.test(name));
  const blocks = files
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, path]) => {
      const data = readFileSync(path);
      return [
        headerOf(`${FOLDER}/${name}`, data.length, 0o644),
        data,
        Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK),
      ];
    });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

const { version } = readSuite(join(ROOT, 'suite'));
const out = resolve(process.argv[2] ?? join(ROOT, '..', 'build', `${FOLDER}-${version}.tgz`));
const bytes = archive();
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, bytes);
process.stdout.write(`${out}\n${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}\n`);
