import { AskError, type Attachment } from '@sandagent/core/internal'
import { endpointOf, type HttpTransportOptions } from '../../../../transport/answer-api.ts'
import { uploadFile } from '../../../../transport/upload-file.ts'
import { rememberBlob } from './thumbnail.tsx'

/** A file that is on its way to the host, or was not taken. */
export interface Upload {
  id: number
  /** The id of the question it is for. */
  question: string
  name: string
  /** Absent for a file that an earlier page lost. */
  file?: File
  /** From 0 to 1. */
  part: number
  /** Why it was not taken. */
  fault?: string | undefined
  /** Whether it may be taken if it is sent again. */
  mayRetry?: boolean
  /** What the host has stored, until the draft names it. */
  stored?: Attachment
}

export const isOnItsWay = ({ fault, stored }: Upload): boolean => fault === undefined && !stored

/** Whether no draft names it yet. It can be stored while its form is closed. */
const isUnnamed = ({ fault }: Upload): boolean => fault === undefined

/** Which form: the options of its host, its call and its person. */
export interface UploadPlace {
  options: HttpTransportOptions & { userId?: string | undefined }
  toolCallId: string
}

/**
 * The files of one call that are on their way. They go on while their question is out of sight, and while the form is closed.
 */
export class CallUploads {
  readonly #key: string
  readonly #listeners = new Set<() => void>()
  #all: readonly Upload[]
  #end = new AbortController()

  constructor(key: string) {
    this.#key = key
    this.#all = takeLost(key)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly all = (): readonly Upload[] => this.#all

  add(upload: Omit<Upload, 'id' | 'part'>): Upload {
    lastId += 1
    const added = { ...upload, id: lastId, part: 0 }
    this.#set([...this.#all, added])
    return added
  }

  drop({ id }: Pick<Upload, 'id'>): void {
    this.#set(this.#all.filter((upload) => upload.id !== id))
  }

  /** Sends a file. `faultOf` says why it was not taken, in the words of the form. */
  async send({ id, question, file }: Upload, place: UploadPlace, faultOf: FaultOf): Promise<void> {
    if (!file) return
    const { signal } = this.#end
    const { options, toolCallId } = place
    const change = (by: Partial<Upload>): void =>
      this.#set(this.#all.map((upload) => (upload.id === id ? { ...upload, ...by } : upload)))
    change({ fault: undefined, part: 0 })
    try {
      const onProgress = (part: number): void => change({ part })
      const stored = await uploadFile(options, { toolCallId, question }, file, { signal, onProgress })
      rememberBlob(stored, file)
      change({ stored })
    } catch (error) {
      if (signal.aborted) return
      change(faultOf(error instanceof AskError ? error : undefined))
    }
  }

  /** The question has ended: nothing takes these files. */
  end(): void {
    this.#end.abort()
    this.#end = new AbortController()
    if (this.#all.length > 0) this.#set([])
  }

  #set(all: readonly Upload[]): void {
    this.#all = all
    if (all.length > 0) calls.set(this.#key, this)
    guardPage()
    for (const listener of this.#listeners) listener()
    if (all.length === 0 && this.#listeners.size === 0) calls.delete(this.#key)
  }
}

type FaultOf = (error: AskError | undefined) => Required<Pick<Upload, 'fault' | 'mayRetry'>>

let lastId = 0
const calls = new Map<string, CallUploads>()

/** The uploads of a call. Every form of it on this page has the same. */
export function uploadsOf({ options, toolCallId }: UploadPlace): CallUploads {
  const key = JSON.stringify([endpointOf(options), toolCallId, options.userId])
  const known = calls.get(key) ?? new CallUploads(key)
  calls.set(key, known)
  return known
}

/** The names of files that were lost with their page, for the page that comes after it. */
const lostKey = (key: string): string => `sandagent.lost-files:${key}`

function guardPage(): void {
  const all = [...calls.values()].flatMap((each) => each.all())
  listen('beforeunload', warn, all.some(isOnItsWay))
  listen('pagehide', rememberLost, all.some(isUnnamed))
}

function listen<Type extends 'beforeunload' | 'pagehide'>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
  isOn: boolean,
): void {
  const change = isOn ? globalThis.addEventListener : globalThis.removeEventListener
  change?.(type, listener)
}

const warn = (event: Event): void => event.preventDefault()

function rememberLost({ persisted }: PageTransitionEvent): void {
  if (persisted) return
  for (const [key, uploads] of calls) {
    const lost = uploads.all().filter(isUnnamed)
    const named = lost.map(({ question, name }) => ({ question, name }))
    try {
      if (lost.length > 0) sessionStorage.setItem(lostKey(key), JSON.stringify(named))
    } catch {
      // The page may store nothing, or no more. Its warning was seen.
    }
  }
}

/** What an earlier page lost. The form says so in its own words. */
function takeLost(key: string): Upload[] {
  try {
    const text = sessionStorage.getItem(lostKey(key))
    sessionStorage.removeItem(lostKey(key))
    const found: unknown = JSON.parse(text ?? '[]')
    return (Array.isArray(found) ? found : []).map(({ question, name }): Upload => {
      lastId += 1
      return { id: lastId, question: String(question), name: String(name), part: 0, fault: '' }
    })
  } catch {
    return []
  }
}
