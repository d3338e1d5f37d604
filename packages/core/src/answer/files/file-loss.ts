import type { ChannelWarning, WarningCode } from '../../lib/warnings/warning-codes.ts'

/**
 * Why an agent does not have the bytes of a file that a person gave. `gone`: nobody has them any more. `changed`: others are in
 * their place. `unreachable`: the store that has them did not answer in time. `no-room`: nothing takes them where the agent is.
 */
export type FileLoss = 'gone' | 'changed' | 'unreachable' | 'no-room'

/** Where an agent finds the bytes of a file, or why it does not. */
export type FilePlace = { path: string } | { missing: FileLoss }

const WORDS: Readonly<Record<FileLoss, string>> = {
  gone: 'which is not there any more',
  changed: 'which is left out: its bytes are not those that the user gave',
  unreachable: 'which is left out: its store cannot be reached',
  'no-room': 'which is left out: there is no room for it here',
}

export const FILE_LOSSES = Object.keys(WORDS) as FileLoss[]

/** Why a file is missing, in words that go on after its name. */
export const lossText = (missing: FileLoss = 'gone'): string => WORDS[missing]

const CODES: Readonly<Record<FileLoss, WarningCode>> = {
  gone: 'NOT_FOUND',
  changed: 'INVALID_FILE',
  unreachable: 'UNREACHABLE',
  'no-room': 'TOO_LARGE',
}

export const lossWarning = (name: string, missing: FileLoss, toolCallId: string): ChannelWarning => ({
  code: CODES[missing],
  message: `The agent does not get the file ${JSON.stringify(name)}, ${lossText(missing)}`,
  toolCallId,
})
