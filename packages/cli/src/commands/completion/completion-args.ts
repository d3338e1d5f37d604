import type { CommandLine } from '../../arguments/command-line.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

export const COMPLETION = {
  summary: 'Print what completes command lines in bash, zsh or fish',
  usage: ['completion bash|zsh|fish'],
  about:
    'Prints a script that lets a shell complete commands, options and their values. The shell asks the command itself, so the script stays the same.',
  options: {},
  words: SHELLS,
  examples: [
    ['completion bash >>~/.bashrc', 'for bash'],
    ['completion zsh >~/.zfunc/_sandagent', 'for zsh, with ~/.zfunc in fpath'],
    ['completion fish >~/.config/fish/completions/sandagent.fish', 'for fish'],
  ],
} as const satisfies CommandLine
