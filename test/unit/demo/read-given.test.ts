/** What stands in the form becomes bytes in one pass over it, or is refused. */
import { describe, expect, it } from 'vitest';
import { readBinary } from '../../../demo/read-given.ts';

const given = (text: string) => ({ name: 'given.txt', bytes: new TextEncoder().encode(text) });

describe('base64 of a file', () => {
  it.each(['AQID', ' AQ\r\nID\t\n', 'A Q I D', '\n\nAQID'])('is read whatever blanks stand in it: %j', (text) => {
    expect([...readBinary(given(text))]).toEqual([1, 2, 3]);
  });

  it.each(['', ' \n', 'AQID!', 'AQ=ID', 'AQID===', '{"a":1}'])('is refused where it is none: %j', (text) => {
    expect(() => readBinary(given(text))).toThrow(expect.objectContaining({ path: 'given.txt' }));
  });

  it('is refused in one pass, after a megabyte of blanks', () => {
    expect(() => readBinary(given(`A${' '.repeat(1_000_000)}!`))).toThrow(
      expect.objectContaining({ code: 'decode/base64' }),
    );
    expect(() => readBinary(given(`${'A '.repeat(500_000)}!`))).toThrow(
      expect.objectContaining({ code: 'decode/base64' }),
    );
  }, 20_000);
});
