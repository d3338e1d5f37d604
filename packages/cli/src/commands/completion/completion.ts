import { readCommandLine } from '../../arguments/command-line.ts'
import { oneOf, onlyWord, usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { COMPLETION, SHELLS } from './completion-args.ts'
import { completionsOf } from './completions-of.ts'

/** The first word of the command lines by which the scripts ask. The words to complete follow behind `--`. */
const ASKS = 'words'

/** Prints a shell's script, or completes words for it. */
export async function completion(
  args: readonly string[],
  io: Pick<CliIo, 'stdout' | 'stderr'>,
  commands: Parameters<typeof completionsOf>[1],
): Promise<void> {
  const { stdout } = io
  if (args[0] === ASKS && args[1] === '--') {
    const [name, ...words] = args.slice(2)
    const known = completionsOf(args.slice(2), commands)
    const isAnswer = name === 'answer' && words.length > 0 && known.length === 0
    const found = isAnswer ? await (await import('./waiting-words.ts')).waitingWords(words, io) : known
    stdout.write(found.map((word) => `${word}\n`).join(''))
    return
  }
  const shell = onlyWord('shell', readCommandLine(COMPLETION, args).words)
  if (shell === undefined) throw usage(`Which shell: ${SHELLS.join(', ')}?`)
  stdout.write(SCRIPTS[oneOf('completion', shell, SHELLS)])
}

/** A shell completes the names of files itself, where the command has nothing to offer. */
const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `_sandagent() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    printf -v word %q "$word"
    COMPREPLY+=("$word")
  done < <(sandagent completion ${ASKS} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _sandagent sandagent
`,
  zsh: `#compdef sandagent
_sandagent() {
  local -a found
  found=("\${(@f)$(sandagent completion ${ASKS} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = _sandagent ]]; then _sandagent "$@"; else compdef _sandagent sandagent; fi
`,
  fish: `function __sandagent_words
  set -l words (commandline -opc) (commandline -ct)
  set -l found (sandagent completion ${ASKS} -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c sandagent -f -a '(__sandagent_words)'
`,
}
