import type { AskErrorCode } from '../errors.ts'

/** What a warning is about, as a word that programs can switch on. The page `errors.md` of the docs explains each. */
export type WarningCode =
  | AskErrorCode
  | 'INTERNAL'
  | 'DISPUTED_RECEIPT'
  | 'UNSIGNED'
  | 'BAD_SIGNATURE'
  | 'SIGNATURE_EXPIRED'
  | 'WRONG_QUESTION'
  | 'REPLAYED'
  | 'ROLLED_BACK'
  | 'FORGED_RECEIPT'
  | 'REFUSED'
  | 'FAILED'
  | 'IGNORED'
  | 'LOST_RECORD'

/** What was noticed and passed over, such as an unreadable answer file. The work goes on. */
export interface ChannelWarning {
  /** A {@link WarningCode}, or the system's own error code, such as `EACCES`. */
  code: WarningCode | (string & Record<never, never>)
  message: string
  toolCallId?: string
}

/** Takes each warning. */
export type OnWarning = (warning: ChannelWarning) => void
