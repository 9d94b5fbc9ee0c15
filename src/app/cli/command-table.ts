/**
 * Describes a command as a table with its name, words, options and function. The parser, the help texts and the completions are made from
 * it.
 */
import type { OptionTable, OptionValues } from './input/option-rows.ts';

/** The words of a command line that are not options. */
export interface WordsRow {
  /** Text for errors: `one FILE or -`. */
  readonly wanted: string;
  /** Fewest and most words. */
  readonly count: readonly [number, number];
  /** Rows of the help text. */
  readonly rows?: readonly (readonly [name: string, help: string])[];
  /** Possible values, if they are known. */
  readonly choices?: readonly string[];
}

/** A command line after parsing. */
export interface ParsedLine<T extends OptionTable> {
  readonly options: OptionValues<T>;
  readonly words: readonly string[];
  /** The given texts of each option; keys are option names. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

export interface CommandSpec<T extends OptionTable> {
  /** The text after its first words, a line for each form. */
  readonly usage: readonly string[];
  /** Paragraphs, separated by empty lines. */
  readonly about: string;
  readonly words?: WordsRow;
  readonly options: T;
  /** Options of other commands, and what to do here in place of each. */
  readonly insteadOf?: Readonly<Record<string, string>>;
  /** Lists of options; one option of each list is required. */
  readonly requires?: readonly (readonly (keyof T & string)[])[];
  /** Text after the options. */
  readonly notes?: string;
  /** Command lines, without the program's name. */
  readonly examples: readonly string[];
  readonly exit: string;
  /** @returns the exit code */
  readonly run: (line: ParsedLine<T> & Pick<CommandLine, 'commands'>) => Promise<number>;
}

/** The part of a command that help texts and completions show. */
export type CommandTable = Omit<CommandSpec<OptionTable>, 'run'>;

/** The words of a command line. */
export interface CommandLine {
  /** The name of the command in the list. */
  readonly name: string;
  /** Words after its first words. */
  readonly words: readonly string[];
  /** Words from the first on. */
  readonly all: readonly string[];
  readonly commands: readonly CommandRow[];
}

export interface Command {
  /** Absent if the command is in another bundle. */
  readonly table?: CommandTable;
  /** @returns the exit code */
  readonly main: (line: CommandLine) => Promise<number>;
}

/** An entry in the list of commands. */
export interface CommandRow {
  /** The first words, and the option that tells the command from others with the same words: `verify --lite`. */
  readonly name: string;
  /** Options that select this command; `undefined` if it needs none. */
  readonly when: readonly string[] | undefined;
  readonly about: string;
  readonly load: () => Promise<Command>;
}

/** Returns the words that a command begins with, without the option that tells it from others. */
export function firstWordsOf({ name }: Pick<CommandRow, 'name'>): readonly string[] {
  return name.split(' ').filter((word) => !word.startsWith('-'));
}
