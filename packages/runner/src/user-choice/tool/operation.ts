/** An invocation, as an operation sees it. */
export interface InvokedCall {
  operation: string
  /** Unchecked: the operation's own to validate. */
  arguments: Readonly<Record<string, unknown>>
  id: string
  /** The conversation. */
  groupId: string
  userId?: string
  /** The conversations that this one comes from, from the first to its parent. */
  threadAncestors: readonly string[]
  /** Aborts when the call is cancelled or the tool closes. */
  signal: AbortSignal
}

/** What the user is to choose. */
export interface ChoiceRequest {
  prompt: string
  /** Labels, at least one, all different; they say what they authorize, and no more than is needed. */
  choices: readonly string[]
  /** Index of the choice that a dismissal stands for. */
  default: number
  /** Which choices hold for the rest of the conversation, such as "Yes for session". */
  remember?:
    | {
        /** Their indexes. */
        choices: readonly number[]
        /** What they hold for, such as the path that may be written to: only there nobody is asked again. */
        scope: string
      }
    | undefined
}

/** What the user chose, or what the default stands for. */
export interface Picked {
  /** Index into the choices. */
  index: number
  label: string
  /** Whether it was chosen earlier in the conversation. */
  isRemembered: boolean
}

/** Something that a tool does. */
export interface ToolOperation {
  /** What the model reads of it in the toolset. Default its name. */
  description?: string | undefined
  /** JSON Schema of its arguments for the toolset. Default any object. */
  inputSchema?: Readonly<Record<string, unknown>> | undefined
  /**
   * Looks, before anything is done, whether the user has to choose; `null` for no. After a restart it may be asked again.
   *
   * @throws AskError whose message the model reads; of other errors it reads only that the call failed.
   */
  confirm(call: InvokedCall): ChoiceRequest | null | Promise<ChoiceRequest | null>
  /**
   * Does the work or declines it, as was picked, and tells the model; `null` when nobody had to choose. It is begun once:
   * after a crash the model is told that it was interrupted.
   *
   * @throws AskError as `confirm` does.
   */
  perform(call: InvokedCall, picked: Picked | null): string | Promise<string>
}
