import { type ParseArgsConfig, parseArgs } from 'node:util'
import { oneOf, usage } from './option-values.ts'
import { suggestion } from './suggestion.ts'

/** An option of a command: what the parser, the help and the completion know of it. */
export interface OptionSpec {
  help: string
  /** What its value is called in the help. Without one, the option takes no value. */
  value?: string
  /** The only values that it takes. */
  words?: readonly string[]
  default?: string
  multiple?: true
  /** Another option: its last value before this one goes with each value. Only with `multiple`. */
  with?: string
  /** A heading of its own in the help. Default: `Options`. */
  group?: string
}

/** The command line of one command. */
export interface CommandLine {
  /** Its line in the list of all commands. */
  summary: string
  /** What follows `sandagent`, one line for each way to use it. */
  usage: readonly string[]
  about: string
  options: Options
  /** The known ones of the words that it takes beside options. Absent: it takes no words. */
  words?: readonly string[]
  /** What the error for an unknown option behind a word says besides. */
  unknownOption?: string
  /** Command lines, each with what it does. */
  examples: readonly (readonly [line: string, effect: string])[]
}

type Options = Readonly<Record<string, OptionSpec>>

type Word<S extends OptionSpec> = S extends { words: readonly (infer W extends string)[] } ? W : string
type Given<S extends OptionSpec> = S extends { with: string }
  ? ReturnType<typeof valuesWith>
  : S extends { value: string }
    ? S extends { multiple: true }
      ? Word<S>[]
      : Word<S>
    : boolean

/** The values of a command line by the names of its options. */
export type Values<O extends Options> = {
  -readonly [K in keyof O]: O[K] extends { default: string } ? Given<O[K]> : Given<O[K]> | undefined
}

/** @throws AskError `INVALID_REQUEST` that says what is wrong. */
export function readCommandLine<O extends Options>(
  {
    options,
    words: known,
    unknownOption = '',
  }: Pick<CommandLine, 'words' | 'unknownOption'> & { options: O },
  args: readonly string[],
): { values: Values<O>; words: string[] } {
  const config = {
    tokens: true,
    allowPositionals: known !== undefined,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, multiple = false, default: usual }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', multiple, default: usual } as const,
      ]),
    ),
  } as const
  const { values, positionals, tokens } = parse(args, config, unknownOption)
  for (const [name, { words, with: other }] of Object.entries(options)) {
    const given = values[name]
    if (words && typeof given === 'string') oneOf(`--${name}`, given, words)
    if (given !== undefined && other !== undefined) values[name] = valuesWith(name, other, tokens)
  }
  return { values: values as Values<O>, words: positionals }
}

/** Each value of an option, and what the option that goes with it had before. */
function valuesWith(name: string, other: string, tokens: readonly Token[]) {
  let last: string | undefined
  return tokens.flatMap((token) => {
    if (token.kind !== 'option' || token.value === undefined) return []
    if (token.name === other) last = token.value
    return token.name === name ? { value: token.value, with: last } : []
  })
}

type Token =
  | { kind: 'option'; name: string; value?: string | undefined }
  | { kind: 'positional' | 'option-terminator' }

interface Parsed {
  values: Record<string, unknown>
  positionals: string[]
  tokens: Token[]
}

/** Like `parseArgs`, but its errors are those of wrong usage. */
function parse(
  args: readonly string[],
  config: ParseArgsConfig & { tokens: true },
  unknownOption: string,
): Parsed {
  try {
    return parseArgs({ ...config, args: [...args] })
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']+)'/.exec(message)?.[1] : undefined
    if (unknown === undefined) throw usage(message, cause)
    const known = Object.keys(config.options ?? {}).map((name) => `--${name}`)
    const isBehindWord = args.slice(0, args.indexOf(unknown)).some((word) => !word.startsWith('-'))
    const hint = isBehindWord ? unknownOption : ''
    throw usage(`There is no option ${unknown}${suggestion(unknown, known)}${hint}`, cause)
  }
}
