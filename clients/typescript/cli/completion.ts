import { COMMON, UsageError, wordsOf, type Command } from './command.ts';
import { contract } from './contract.ts';
import { fieldsOf } from './api.ts';

/** The possible next words by the words before them, from the commands and the contract. */
interface Completions {
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly operations: Readonly<Record<string, readonly string[]>>;
}

const TASK_VERBS = ['publish', 'list', 'show', 'watch', 'accept', 'dispute', 'file'];

function completionsOf(commands: Readonly<Record<string, Command>>): Completions {
  const dashed = (names: readonly string[]): readonly string[] => names.map((name) => `--${name}`);
  const common = dashed(Object.keys(COMMON));
  const own = Object.entries(commands).map(([name, { options = {} }]) => {
    const verbs = name === 'task' ? TASK_VERBS : [];
    return [name, [...verbs, ...dashed(Object.keys(options)), ...common]] as const;
  });
  const operations = contract().map((operation) => {
    const fields = fieldsOf(operation).map(({ name }) => name);
    return [operation.id, [...dashed([...new Set(fields)]), '--body', ...common]] as const;
  });
  return { commands: Object.fromEntries(own), operations: Object.fromEntries(operations) };
}

const SHELLS: Readonly<Record<string, (known: Completions) => string>> = { bash, zsh, fish };

export function completionCommand(commands: () => Readonly<Record<string, Command>>): Command {
  return {
    usage: 'completion bash|zsh|fish',
    summary: 'prints what makes a shell complete words',
    help: `bash: source <(hub completion bash)     zsh: source <(hub completion zsh)
fish: hub completion fish | source
`,
    run: (call) => {
      const [shell = ''] = wordsOf(call, 'SHELL');
      const print = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (print === undefined) throw new UsageError('SHELL is bash, zsh or fish');
      call.io.out(print(completionsOf(commands())));
      return Promise.resolve(0);
    },
  };
}

function bash({ commands, operations }: Completions): string {
  const branch = ([name, words]: readonly [string, readonly string[]]): string =>
    `    ${name}) words="${words.join(' ')}" ;;\n`;
  return `_hub() {
  local words="" at="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then words="${Object.keys(commands).join(' ')}"
  elif [ "\${COMP_WORDS[1]}" = api ] && [ "$COMP_CWORD" -eq 2 ]; then
    words="${Object.keys(operations).join(' ')}"
  elif [ "\${COMP_WORDS[1]}" = api ]; then case "\${COMP_WORDS[2]}" in
${Object.entries(operations).map(branch).join('')}  esac
  else case "\${COMP_WORDS[1]}" in
${Object.entries(commands).map(branch).join('')}  esac
  fi
  if [ -z "$words" ]; then COMPREPLY=($(compgen -f -- "$at")); return; fi
  COMPREPLY=($(compgen -W "$words" -- "$at"))
}
complete -o default -F _hub hub
`;
}

function zsh(known: Completions): string {
  return `autoload -Uz bashcompinit && bashcompinit\n${bash(known)}`;
}

function fish({ commands, operations }: Completions): string {
  const line = (condition: string, words: readonly string[]): string =>
    `complete -c hub -f -n '${condition}' -a '${words.join(' ')}'\n`;
  const after = Object.entries(commands).map(([name, words]) =>
    name === 'api' ? '' : line(`__fish_seen_subcommand_from ${name}`, words),
  );
  const isBare = 'test (count (commandline -opc)) -eq 2';
  const fields = Object.entries(operations).map(([id, words]) =>
    line(`__fish_seen_subcommand_from ${id}`, words),
  );
  return [
    line('__fish_use_subcommand', Object.keys(commands)),
    ...after,
    line(`__fish_seen_subcommand_from api; and ${isBare}`, Object.keys(operations)),
    ...fields,
  ].join('');
}
