/** A command as a table: its name, its words, its options and what it does. Parsing, help texts and completions come from that. */
import type { OptionTable, OptionValues } from './input/option-rows.ts';

/** The words of a command that are no options. */
export interface WordsRow {
  /** As errors name them: `one FILE or -`. */
  readonly wanted: string;
  /** How many, the least and the most. */
  readonly count: readonly [number, number];
  /** As help texts explain them. */
  readonly rows?: readonly (readonly [name: string, help: string])[];
  /** What they may be, where that is known. */
  readonly choices?: readonly string[];
}

/** A command line, read. */
export interface Given<T extends OptionTable> {
  readonly options: OptionValues<T>;
  readonly words: readonly string[];
  /** The options as they were given, by name. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

/** What a command runs on. */
export interface RunLine<T extends OptionTable> extends Given<T> {
  readonly commands: readonly CommandRow[];
}

export interface CommandSpec<T extends OptionTable> {
  /** With the option that tells it from others of its first word: `verify --lite`. */
  readonly name: string;
  /** What follows its first words; a line for each form. */
  readonly usage: readonly string[];
  /** Paragraphs, between empty lines. */
  readonly about: string;
  readonly words?: WordsRow;
  readonly options: T;
  /** Of each of these lists one option has to be given. */
  readonly requires?: readonly (readonly (keyof T & string)[])[];
  /** What follows the options. */
  readonly notes?: string;
  /** Command lines, without the program's name. */
  readonly examples: readonly string[];
  readonly exit: string;
  /** @returns the exit code */
  readonly run: (line: RunLine<T>) => Promise<number>;
}

/** What help texts and completions show of a command. */
export type CommandTable = Omit<CommandSpec<OptionTable>, 'run'>;

/** What a command is run with. */
export interface CommandLine {
  /** After its first words. */
  readonly words: readonly string[];
  /** From the first word on. */
  readonly all: readonly string[];
  readonly commands: readonly CommandRow[];
}

export interface Command {
  /** Absent where another bundle has the command. */
  readonly table?: CommandTable;
  /** @returns the exit code */
  readonly main: (line: CommandLine) => Promise<number>;
}

/** A command among the others. */
export interface CommandRow {
  /** Its first words, and the option that tells it from others with the same ones: `verify --lite`. */
  readonly name: string;
  /** Options that mean this one. */
  readonly when?: readonly string[];
  readonly about: string;
  /** A command is read only when it is the one. */
  readonly load: () => Promise<Command>;
}
