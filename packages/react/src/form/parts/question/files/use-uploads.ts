import { type AskedQuestion, type Attachment, attachmentName, filesTaken } from '@sandagent/core/internal'
import { useSyncExternalStore } from 'react'
import { englishFileLabels, type FileLabels } from '../../../labels/file-labels.ts'
import type { AskForm } from '../../../state/ask-form.ts'
import { type CallUploads, isOnItsWay, type Upload, uploadsOf } from './call-uploads.ts'

const NONE: readonly Upload[] = []

export interface Uploads {
  labels: FileLabels
  /** Those of all questions of the call. */
  uploads: readonly Upload[]
  store: CallUploads
  send(upload: Upload): void
}

/** The files of a call that are on their way, or were not taken. */
export function useUploads(form: Pick<AskForm, 'ask' | 'options' | 'labels'>): Uploads {
  const { ask, options } = form
  const place = { options, toolCallId: ask.toolCallId }
  const store = uploadsOf(place)
  const uploads = useSyncExternalStore(store.subscribe, store.all, () => NONE)
  const labels: FileLabels = { ...englishFileLabels, ...form.labels }
  const send = (upload: Upload): void => {
    const question = ask.questions.find(({ id }) => id === upload.question)
    const taken = question && filesTaken(question)
    void store.send(upload, place, (error) => {
      if (error?.code === 'INVALID_ANSWERS' && taken)
        return { fault: labels.wrongFileType(taken.types), mayRetry: false }
      if (error?.code === 'TOO_LARGE') return { fault: error.message, mayRetry: false }
      return { fault: labels.fileFailed, mayRetry: true }
    })
  }
  return { labels, uploads, store, send }
}

/** Takes what a person gives to a question, and says of the rest why not. */
export function addFiles(
  { uploads, store, labels, send }: Uploads,
  { ask }: Pick<AskForm, 'ask'>,
  question: AskedQuestion,
  given: readonly File[],
): void {
  const taken = filesTaken(question)
  if (!taken) return
  const ofQuestion = uploads.filter((upload) => upload.question === question.id)
  const faulty = ofQuestion.filter(({ fault }) => fault !== undefined)
  const onTheirWay = ofQuestion.length - faulty.length
  let room = taken.max - storedFiles(ask.entered, question).length - onTheirWay
  for (const file of given) {
    const name = attachmentName(file.name)
    // What is given again takes the place of what was not taken.
    for (const upload of faulty) if (upload.name === name) store.drop(upload)
    const fault =
      file.size > taken.maxBytes
        ? labels.fileTooLarge(labels.fileSize(taken.maxBytes))
        : room <= 0
          ? labels.tooManyFiles(taken.max)
          : undefined
    const added = store.add({ question: question.id, file, name, fault })
    if (fault) continue
    room -= 1
    send(added)
  }
}

export const isSendingFiles = (uploads: readonly Upload[]): boolean => uploads.some(isOnItsWay)

/** The files in an answer. A tool output may hold anything in their place. */
export function storedFiles(responses: AskForm['ask']['entered'], { id }: AskedQuestion): Attachment[] {
  const response = Object.hasOwn(responses, id) ? responses[id] : undefined
  const files: unknown = response && 'files' in response ? response.files : undefined
  return Array.isArray(files)
    ? files.filter((file) => typeof file?.name === 'string' && typeof file.sha256 === 'string')
    : []
}
