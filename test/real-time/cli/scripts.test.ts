/** The scripts of `test/cli/scripts` that `test/cli/scripts.test.ts` does not play: some two hundred runs of the command. */
import { readdirSync } from 'node:fs';
import { PLAYED_FIRST, SCRIPTS, testScripts } from '../../helpers/script-tests.ts';

testScripts(readdirSync(SCRIPTS).filter((name) => name.endsWith('.txt') && !PLAYED_FIRST.includes(name)));
