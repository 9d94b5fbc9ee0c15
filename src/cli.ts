#!/usr/bin/env node
/** The command's shim: runs `cli/main.ts` and sets the exit code. */
import { main } from './cli/main.ts';

process.exitCode = await main(process.argv.slice(2));
