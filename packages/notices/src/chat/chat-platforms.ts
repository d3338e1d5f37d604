// Why it is so: docs/decisions/0116-a-chat-shows-whole-or-not-at-all.md

/** What a platform shows as it was sent, by its adapter of `chat`. */
export interface ChatPlatform {
  /** How long one text may be, in characters and lines. */
  longest: { characters: number; lines: number }
  /** How many characters fit into a message. */
  room: number
  /** Whether a form can be opened. */
  hasForms: boolean
  /** Whether each button needs a row of its own, because buttons share the width of theirs. */
  isRowPerButton: boolean
  /** Whether an edit without buttons leaves those of before. */
  keepsButtons: boolean
  /** What text of others becomes, so that it is no markup. */
  escaped(text: string): string
}

const same = (text: string): string => text

/** Slack's own markup is read within code too. */
const entities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const PLATFORMS: Readonly<Record<string, ChatPlatform>> = {
  // Slack folds longer texts: its adapter does not ask for the whole.
  slack: {
    longest: { characters: 300, lines: 5 },
    room: 3_000,
    hasForms: true,
    isRowPerButton: false,
    keepsButtons: false,
    escaped: entities,
  },
  // 4,096 characters, of which the headline and the signs around texts take some.
  telegram: {
    longest: { characters: 3_500, lines: 500 },
    room: 3_500,
    hasForms: false,
    isRowPerButton: true,
    keepsButtons: false,
    escaped: same,
  },
  discord: {
    longest: { characters: 3_500, lines: 500 },
    room: 3_500,
    hasForms: false,
    isRowPerButton: false,
    keepsButtons: true,
    escaped: same,
  },
}

/** `undefined` for a platform of which we do not know how to show text of others as it is. */
export const platformOf = (adapter: string): ChatPlatform | undefined =>
  Object.hasOwn(PLATFORMS, adapter) ? PLATFORMS[adapter] : undefined

/** Stands between signs that would mean something together, and is not seen. */
const NOTHING = '\u200b'

/** Nothing in it is a sign of `chat` or of Markdown that begins with the same character twice. */
const loose = (text: string): string => text.replace(/([`{*])(?=\1)/g, `$1${NOTHING}`)

/** Text of others as a block of code: no platform reads markup, mentions or links in it. */
export const block = (text: string, { escaped }: ChatPlatform): string =>
  `\`\`\`\n${escaped(loose(text))}\n\`\`\``

/** A name within a sentence. */
export const inline = (name: string, platform: ChatPlatform | undefined): string =>
  platform
    ? `\`${platform.escaped(loose(name.replaceAll('`', "'")))}\``
    : name.replace(/[^\p{L}\p{M}\p{N} ,'-]/gu, ' ')

/** A label of a button, which is no markup. Slack makes pictures of names between colons. */
export const label = (text: string): string => loose(text).replaceAll(':', `:${NOTHING}`)

/** How many texts a message shows. Slack refuses more than 50 parts. */
const MOST_TEXTS = 20

/** Whether a message shows all these texts to their end. */
export function fits(texts: readonly string[], { longest, room }: ChatPlatform): boolean {
  // Adapters write these signs with another one before them.
  const needed = texts.map((text) => text.length + (text.match(/[`\\]/g)?.length ?? 0) + 10)
  return (
    texts.length <= MOST_TEXTS &&
    texts.every((text) => text.length <= longest.characters && text.split('\n').length <= longest.lines) &&
    needed.reduce((sum, each) => sum + each, 0) <= room
  )
}
