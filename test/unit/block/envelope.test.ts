import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/core/base/errors.ts';
import { cleanServerText, readServerError, unwrapAnswer } from '../../../src/core/block/envelope.ts';
import { readVector, VECTORS } from '../../helpers/vectors.ts';

const result = { '@type': 'blocks.blockSignatures' };

describe('an answer', () => {
  it.each([
    ['bare', result, ''],
    ['bare with @extra inside', { ...result, '@extra': 'x' }, ''],
    ['in { ok, result }', { ok: true, result }, 'result'],
    ['in { ok, result } with @extra at the top', { ok: true, result, '@extra': '1:2:3' }, 'result'],
    ['in JSON-RPC of the Python server', { ok: true, result, jsonrpc: '2.0', id: '1' }, 'result'],
    ['in JSON-RPC without ok', { jsonrpc: '2.0', id: 1, result }, 'result'],
    ['in JSON-RPC without id', { jsonrpc: '2.0', result }, 'result'],
    ['in JSON-RPC with a null error', { jsonrpc: '2.0', id: 1, result, error: null }, 'result'],
  ])('is taken out when it stands %s', (_, body, path) => {
    expect(unwrapAnswer(body)).toEqual({ result: expect.objectContaining(result), path });
  });
});

describe('an error body', () => {
  it.each([
    ['C++: error and code', { ok: false, error: 'E1 text', code: 500, '@extra': '_' }, 'E1 text (code 500)'],
    [
      'the gateway: text under result',
      { ok: false, result: 'Ratelimit exceed', code: 429 },
      'Ratelimit exceed (code 429)',
    ],
    ['JSON-RPC of Python: no code', { ok: false, error: 'Unknown method', jsonrpc: '2.0', id: '1' }, 'Unknown method'],
    ['v3: error alone', { error: 'blocks not found' }, 'blocks not found'],
    ['JSON-RPC purists', { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'nope' } }, 'nope (code -32000)'],
    [
      'a reseller',
      { result: 'null', id: 'x', status_code: 405, message: 'Method not allowed' },
      'Method not allowed (code 405)',
    ],
    ['tonlib', { '@type': 'error', code: 500, message: 'LITE_SERVER_NETWORK' }, 'LITE_SERVER_NETWORK (code 500)'],
    [
      'a tonlib error inside a success',
      { ok: true, result: { '@type': 'error', code: 7, message: 'inside' } },
      'inside (code 7)',
    ],
    ['a gateway: message alone', { message: 'no Route matched' }, 'no Route matched'],
    ['a framework: detail alone', { detail: 'LITE_SERVER_NOTREADY: x' }, 'LITE_SERVER_NOTREADY: x'],
    ['words where a result should be', { ok: true, message: 'try later' }, 'try later'],
    ['a framework: a list', { detail: [{ loc: ['query', 'seqno'], msg: 'field required' }] }, 'field required'],
    ['a problem: its title', { title: 'Bad gateway' }, 'Bad gateway'],
    ['a proxy: errors', { errors: [{ message: 'too busy' }] }, 'too busy'],
    ['a proxy: msg', { msg: 'no route' }, 'no route'],
    ['a proxy: reason', { reason: 'draining' }, 'draining'],
    ['a proxy: description', { description: 'maintenance' }, 'maintenance'],
    ['OAuth', { error: 'invalid_token', error_description: 'it expired' }, 'invalid_token: it expired'],
    ['words too deep', { detail: [[[[[['deep']]]]]], ok: false }, 'no message'],
    ['a body without words', { ok: false }, 'no message'],
    ['HTTP 200 with ok true and an error', { ok: true, result, error: 'half an answer' }, 'half an answer'],
  ])("of %s becomes a DecodeError with the server's own words", (_, body, words) => {
    expect(() => unwrapAnswer(body)).toThrow(DecodeError);
    expect(() => unwrapAnswer(body)).toThrow(
      expect.objectContaining({ code: 'decode/api-error', message: `the server answered with an error: ${words}` }),
    );
  });

  const recorded = [
    ...readdirSync(join(VECTORS, 'http')).map((name) => `http/${name}`),
    'real/http/tonlib-error.json',
    'real/http/v3-500-timeout.json',
    'real/http/404-static.json',
  ].filter((name) => /error|timeout|404/.test(name) && name.endsWith('.json'));

  it.each(recorded)('as recorded is an api-error: %s', (name) => {
    expect(() => unwrapAnswer(readVector(name))).toThrow(expect.objectContaining({ code: 'decode/api-error' }));
  });
});

describe('a body with many members', () => {
  it('is no error body before its other members are listed', () => {
    let lists = 0;
    const count = (target: object) => {
      lists++;
      return Reflect.ownKeys(target);
    };
    expect(readServerError(new Proxy({ blocks: [] }, { ownKeys: count }))).toBeUndefined();
    expect(lists).toBe(0);
  });
});

describe('a body that wraps nothing', () => {
  it.each([
    [null, 'expected an object, got null'],
    [[], 'expected an object, got an array of 0'],
    ['text', 'expected an object, got a string of 4 characters'],
    [{ ok: 'yes', result }, 'ok: expected true or false, got a string of 3 characters'],
    [{ ok: true }, 'result: expected an object, got nothing'],
    [{ jsonrpc: '2.0', id: 1 }, 'result: expected an object, got nothing'],
  ])('is refused: %j', (body, message) => {
    expect(() => unwrapAnswer(body)).toThrow(expect.objectContaining({ code: 'decode/shape', message }));
  });
});

describe('the words of a server', () => {
  it('lose control characters and direction marks, and are cut', () => {
    expect(cleanServerText('a\u001b[31mb\r\nc\u202ed')).toBe('a [31mb c d');
    expect(cleanServerText('x'.repeat(9999))).toHaveLength(501);
  });
});
