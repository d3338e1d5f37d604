/** An invocation, as an operation gets it. */
export interface InvokedCall {
  operation: string
  /** Not validated. */
  arguments: Readonly<Record<string, unknown>>
  id: string
  /** The conversation. */
  groupId: string
  userId?: string
  /** The conversations above this one, from the first to its parent. */
  threadAncestors: readonly string[]
  /** Aborts when the call is cancelled or the tool closes. */
  signal: AbortSignal
}

/** A choice for the user. */
export interface ChoiceRequest {
  prompt: string
  /** Different labels, at least one. Each says what it authorizes. */
  choices: readonly string[]
  /** Index of the choice that is taken when the user does not choose. */
  default: number
  /** Which choices hold for the rest of the conversation, such as "Yes for session". */
  remember?:
    | {
        /** Indexes. */
        choices: readonly number[]
        /** Where they hold, such as the path that may be written to. */
        scope: string
      }
    | undefined
}

/** The user's choice, or the default. */
export interface Picked {
  /** Index into the choices. */
  index: number
  label: string
  /** Whether an earlier choice of the conversation was used. */
  isRemembered: boolean
}

/** Something that a tool does. */
export interface ToolOperation {
  /** For the model, in the toolset. Default: the operation's name. */
  description?: string | undefined
  /** JSON Schema of the arguments, in the toolset. Default: any object. */
  inputSchema?: Readonly<Record<string, unknown>> | undefined
  /**
   * Decides whether the user has to choose; `null` for no. It may run again after a restart.
   *
   * @throws AskError with a message for the model. Of other errors the model reads only that the call failed.
   */
  confirm(call: InvokedCall): ChoiceRequest | null | Promise<ChoiceRequest | null>
  /**
   * Does what was picked and returns the text for the model. `picked` is `null` when nobody had to choose. It runs once:
   * after a crash the model reads that it was interrupted.
   *
   * @throws AskError as `confirm` does.
   */
  perform(call: InvokedCall, picked: Picked | null): string | Promise<string>
}
