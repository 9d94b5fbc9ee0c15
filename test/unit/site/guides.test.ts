/** Every page of the documentation is in one guide of the site, and every page that a guide names is there. */
import { describe, expect, it } from 'vitest';
import { addressOf, faultsOfGuides, pages } from '../../../site/guides.mjs';

const named = pages().map(({ file }) => file);

describe('the table of guides', () => {
  it('names every page of docs/ once, and no page that is missing', () => {
    expect(faultsOfGuides()).toEqual([]);
  });

  it('gives every page an address of its own', () => {
    expect(new Set(named.map(addressOf)).size).toBe(named.length);
  });

  it.each([
    ['that no guide names', named.filter((file) => file !== 'docs/cli.md'), /^docs\/cli\.md is in no guide/],
    ['that does not exist', [...named, 'docs/none.md'], /^docs\/none\.md does not exist/],
    ['that is named twice', [...named, 'docs/cli.md'], /^docs\/cli\.md is named twice/],
  ])('has a fault for a page %s', (_, files, fault) => {
    expect(faultsOfGuides(files)).toEqual([expect.stringMatching(fault)]);
  });
});
