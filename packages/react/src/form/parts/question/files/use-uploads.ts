import { type AskedQuestion, type Attachment, attachmentName, filesTaken } from '@sandagent/core/internal'
import { useEffect, useRef, useState } from 'react'
import { uploadFile } from '../../../../transport/upload-file.ts'
import type { FileLabels } from '../../../labels/file-labels.ts'
import type { AskForm } from '../../../state/ask-form.ts'
import { rememberBlob } from './thumbnail.tsx'

/** A file that is on its way to the host, or was not taken. */
export interface Upload {
  id: number
  file: File
  name: string
  /** From 0 to 1. */
  part: number
  /** Why it was not taken. */
  fault?: string | undefined
  /** Whether it may be taken if it is sent again. */
  mayRetry?: boolean
}

interface Uploads {
  /** What the host has stored, as the draft names it. */
  files: readonly Attachment[]
  uploads: readonly Upload[]
  isSending: boolean
  add(given: readonly File[]): void
  again(upload: Upload): void
  dismiss(upload: Upload): void
  remove(file: Attachment): void
}

/** Sends the files of one question, and keeps those that the host has stored in the draft. */
export function useUploads(
  { ask, options }: Pick<AskForm, 'ask' | 'options'>,
  question: AskedQuestion,
  labels: FileLabels,
  announce: (text: string) => void,
): Uploads {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const files = storedFiles(ask.entered, question)
  // Uploads end at any time, and each must count with the others.
  const latest = useRef(files)
  latest.current = files
  const lastId = useRef(0)
  const gone = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    gone.current = controller
    return () => controller.abort()
  }, [])

  const change = (id: number, by: Partial<Upload>): void =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...by } : upload)))
  const drop = (id: number): void => setUploads((all) => all.filter((upload) => upload.id !== id))
  const keep = (next: Attachment[]): void => {
    latest.current = next
    ask.enter(question.id, { files: next })
  }

  const send = async (id: number, file: File, name: string): Promise<void> => {
    const { signal } = gone.current
    change(id, { fault: undefined, part: 0 })
    try {
      const stored = await uploadFile(options, { toolCallId: ask.toolCallId, question: question.id }, file, {
        signal,
        onProgress: (part) => change(id, { part }),
      })
      if (signal.aborted) return
      rememberBlob(stored, file)
      drop(id)
      if (!latest.current.some(({ sha256 }) => sha256 === stored.sha256)) keep([...latest.current, stored])
      announce(labels.fileAdded(name))
    } catch (error) {
      if (signal.aborted) return
      const code = error instanceof Error && 'code' in error ? error.code : ''
      const taken = filesTaken(question)
      const fault =
        code === 'INVALID_ANSWERS' && taken
          ? labels.wrongFileType(taken.types)
          : code === 'TOO_LARGE' && error instanceof Error
            ? error.message
            : labels.fileFailed
      change(id, { fault, mayRetry: fault === labels.fileFailed })
      announce(`${name}: ${fault}`)
    }
  }

  return {
    files,
    uploads,
    isSending: uploads.some(({ fault }) => fault === undefined),
    add(given: readonly File[]): void {
      const taken = filesTaken(question)
      if (!taken) return
      let room = taken.max - latest.current.length - uploads.filter(({ fault }) => fault === undefined).length
      for (const file of given) {
        const name = attachmentName(file.name)
        const fault =
          file.size > taken.maxBytes
            ? labels.fileTooLarge(labels.fileSize(taken.maxBytes))
            : room <= 0
              ? labels.tooManyFiles(taken.max)
              : undefined
        lastId.current += 1
        const id = lastId.current
        setUploads((all) => [...all, { id, file, name, part: 0, ...(fault && { fault }) }])
        if (fault) announce(`${name}: ${fault}`)
        else {
          room -= 1
          void send(id, file, name)
        }
      }
    },
    again: ({ id, file, name }: Upload): void => void send(id, file, name),
    dismiss: ({ id }: Upload): void => drop(id),
    remove(file: Attachment): void {
      keep(latest.current.filter((each) => each !== file))
      announce(labels.fileRemoved(file.name))
    },
  }
}

/** The files in an answer. A tool output may hold anything in their place. */
export function storedFiles(responses: AskForm['ask']['entered'], { id }: AskedQuestion): Attachment[] {
  const response = Object.hasOwn(responses, id) ? responses[id] : undefined
  const files: unknown = response && 'files' in response ? response.files : undefined
  return Array.isArray(files)
    ? files.filter((file) => typeof file?.name === 'string' && typeof file.sha256 === 'string')
    : []
}
