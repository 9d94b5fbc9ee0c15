/** `ton-finality completion`: prints a script with which a shell completes commands, options and their values. */
import { UsageError } from '../../../core/base/errors.ts';
import { defineCommand } from '../command.ts';
import { type CommandRow, firstWordsOf } from '../command-table.ts';
import { shown } from '../input/option-rows.ts';
import { EXIT } from '../output/exit-code.ts';
import { printText } from '../output/print.ts';

/** The words that may follow: after `verify` its options, after `--network` its values. */
type Completions = ReadonlyMap<string, readonly string[]>;

/** Collects completions. Commands with the same first words are one command to a shell. */
async function completionsOf(commands: readonly CommandRow[]): Promise<Completions> {
  const found = new Map<string, Set<string>>([['', new Set(['help', 'version'])]]);
  const add = (key: string, words: readonly string[]) => {
    const known = found.get(key) ?? new Set();
    for (const word of words) known.add(word);
    found.set(key, known);
  };
  for (const row of commands) {
    const { table } = await row.load();
    const [first, second] = firstWordsOf(row);
    const before = ['', 'help']; // the words of a command complete after help too
    for (const key of before) add(key, [first!]); // every command has a word
    if (second !== undefined) for (const key of before) add(`${key} ${first}`.trim(), [second]);
    const key = second === undefined ? first! : `${first} ${second}`;
    add(key, [...(table?.words?.choices ?? []), '--help']);
    for (const [option, { value }] of Object.entries(table?.options ?? {})) {
      add(key, [`--${option}`]);
      if (value !== undefined && /^[a-z]+(?:\|[a-z]+)*$/.test(value)) add(`--${option}`, value.split('|'));
      else if (value !== undefined && /FILE|DIR/.test(value)) add('files', [`--${option}`]);
    }
  }
  return new Map([...found].map(([key, words]) => [key, [...words].sort()]));
}

const cases = (completions: Completions, line: (key: string, words: string) => string) =>
  [...completions].filter(([key]) => key !== 'files').map(([key, words]) => line(key, words.join(' ')));

/** For bash and shells like it: the first two words that are not options tell the command. */
function bash(completions: Completions): string {
  const files = (completions.get('files') ?? []).join('|');
  return `# ton-finality completion bash: source it, or put it where bash-completion looks
_ton_finality() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
  local one=\${COMP_WORDS[1]} two="\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  [ "$COMP_CWORD" -le 1 ] && one=
  [ "$COMP_CWORD" -le 2 ] && two=
  _ton_finality_words() {
    case $1 in
${cases(completions, (key, words) => `      '${key}') echo '${words}' ;;`).join('\n')}
      *) return 1 ;;
    esac
  }
  case $before in
    ${files}) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --*) words=$(_ton_finality_words "$before") ;;
  esac
  [ -z "$words" ] && [ -n "$two" ] && words=$(_ton_finality_words "$two")
  [ -z "$words" ] && words=$(_ton_finality_words "$one")
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _ton_finality ton-finality
`;
}

/** For zsh, which can read completions of bash. */
function zsh(completions: Completions): string {
  return `#compdef ton-finality
# ton-finality completion zsh: source it after compinit
autoload -U +X bashcompinit && bashcompinit
${bash(completions)}`;
}

function fish(completions: Completions): string {
  const lines = cases(completions, (key, words) => {
    if (key === '') return `complete -c ton-finality -n __fish_use_subcommand -f -a '${words}'`;
    if (key.startsWith('--')) return `complete -c ton-finality -l ${key.slice(2)} -x -a '${words}'`;
    const seen = key.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    return `complete -c ton-finality -n '${seen.join('; and ')}' -a '${words}'`;
  });
  return `# ton-finality completion fish: put it into ~/.config/fish/completions/ton-finality.fish\n${lines.join('\n')}\n`;
}

const SHELLS = { bash, zsh, fish } as const;
const NAMES = Object.keys(SHELLS) as readonly (keyof typeof SHELLS)[]; // its own names

export const completionCommand = defineCommand({
  usage: ['bash|zsh|fish'],
  about: 'Prints a script that makes a shell complete commands, options, option values and files.',
  words: { wanted: 'bash, zsh or fish', count: [1, 1], choices: NAMES },
  options: {},
  examples: ['completion bash > ~/.local/share/bash-completion/completions/ton-finality', 'completion fish | source'],
  exit: '0 printed, 2 unknown shell',
  async run({ words, commands }) {
    const shell = NAMES.find((name) => name === words[0]);
    if (shell === undefined) {
      throw new UsageError('usage/bad-option', `expected bash, zsh or fish, got ${shown(words[0] ?? '')}`);
    }
    await printText(SHELLS[shell](await completionsOf(commands)));
    return EXIT.final;
  },
});
